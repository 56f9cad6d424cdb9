#!/usr/bin/perl
# bx_steps - small workflow runner: per sample the steps "simulate", "trim" and "stats"; each step runs as a child under
# a lock file and leaves a .done marker for the next one.
use strict; use warnings;
use Fcntl qw(O_CREAT O_EXCL O_WRONLY);

my ($list, $work) = @ARGV;
die "usage: $0 samples.txt workdir\n" unless defined $work;
mkdir $work unless -d $work;

sub lock_step {
    my ($path) = @_;
    sysopen(my $fh, $path, O_CREAT | O_EXCL | O_WRONLY) or die "$path: step is already running ($!)\n";
    print $fh "$$\n";
    close $fh;
}

sub touch { my ($p) = @_; open my $fh, '>', $p or die "$p: $!"; close $fh; }

sub simulate {
    my ($sample, $seed) = @_;
    open my $out, '>', "$work/$sample.reads" or die "reads: $!";
    my $x = $seed;
    for my $i (1 .. 1500) {
        my $s = '';
        for (1 .. 8) { $x = ($x * 1103515245 + 12345) & 0x7fffffff; $s .= substr('ACGTTGCA', ($x >> 12) & 7, 1) x (1 + ($x >> 20 & 3)); }
        print $out ">$i\n$s\n";
    }
    close $out or die "reads: $!";
}

sub trim {
    my ($sample) = @_;
    open my $in, '<', "$work/$sample.reads" or die "$sample: $!";
    open my $out, '>', "$work/$sample.trimmed" or die "$sample: $!";
    while (my $h = <$in>) {
        my $s = <$in>;
        $s =~ s/(A{3,}|T{3,})$//;
        print $out $h, $s if length($s) > 8;
    }
    close $out or die "$sample: $!";
}

sub stats {
    my ($sample) = @_;
    open my $in, '<', "$work/$sample.trimmed" or die "$sample: $!";
    my ($n, $gc, $len) = (0, 0, 0);
    while (<$in>) { next if /^>/; chomp; $n++; $len += length; $gc += tr/GC//; }
    open my $out, '>', "$work/$sample.stats" or die "$sample: $!";
    printf $out "%s\t%d\t%d\t%.4f\n", $sample, $n, $len, $len ? $gc / $len : 0;
    close $out;
}

my %step = (simulate => \&simulate, trim => \&trim, stats => \&stats);
my %pid;

sub start {
    my ($name, $sample, @arg) = @_;
    my $lock = "$work/$sample.$name.lock";
    lock_step($lock);
    my $pid = fork() // die "fork: $!";
    if (!$pid) {
        $step{$name}->($sample, @arg);
        touch("$work/$sample.$name.done");
        exit 0;
    }
    $pid{$lock} = $pid;
}

sub wait_for {
    my ($name, $sample) = @_;
    my $lock = "$work/$sample.$name.lock";
    waitpid delete $pid{$lock}, 0;
    die "$sample: step $name failed\n" if $?;
    die "$sample: no marker of step $name\n" unless -e "$work/$sample.$name.done";
    unlink $lock or die "$lock: $!";
}

open my $in, '<', $list or die "$list: $!\n";
my @table;
while (<$in>) {
    next if /^#/ or !/\S/;
    chomp;
    my ($sample, $seed) = split /\t/;
    for my $name (qw(simulate trim stats)) {
        start($name, $sample, $seed);
        wait_for($name, $sample);
    }
    open my $st, '<', "$work/$sample.stats" or die "$sample: $!";
    push @table, scalar <$st>;
    close $st;
}
print "#sample\treads\tbases\tgc\n", sort @table;
