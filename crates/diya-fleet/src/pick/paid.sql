select of_account.log_hash, min(of_account.project) as project
from ($of_account) as of_account
group by of_account.log_hash
