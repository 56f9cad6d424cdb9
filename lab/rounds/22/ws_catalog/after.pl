#!/usr/bin/perl
# ws_catalog: takes the bulletins of the day from the journal of the message
# switch and keeps the station catalogue (last report, counters, best quality)
# that the web pages read. The catalogue is replaced atomically.
use strict;
use warnings;
use Getopt::Long;
use Digest::MD5 qw(md5_hex);

my ($journal, $catalog) = ('journal.txt', 'catalog.tsv');
GetOptions('journal=s' => \$journal, 'catalog=s' => \$catalog) or die "usage: ws_catalog [--journal f] [--catalog f]\n";

my %st;

sub load_catalog {
    my ($path) = @_;
    open my $fh, '<', $path or return 0;
    while (<$fh>) {
        chomp;
        next if /^#/;
        my ($id, $name, $last, $n, $type, $sum) = split /\t/;
        $st{$id} = { id => $id, name => $name, last => $last, n => $n, type => $type, sum => $sum };
    }
    close $fh;
    return scalar keys %st;
}

sub save_catalog {
    my ($path) = @_;
    my $tmp = "$path.new";
    open my $fh, '>', $tmp or die "$tmp: $!\n";
    print $fh "#id\tname\tlast\tn\ttype\tsum\n";
    for my $s (map { $st{$_} } sort keys %st) {
        print $fh join("\t", @$s{qw(id name last n type sum)}), "\n";
    }
    close $fh or die "$tmp: $!\n";
    rename $tmp, $path or die "rename $path: $!\n";
}

sub apply_bulletin {
    my ($time, $type, @groups) = @_;
    my $n = 0;
    for my $g (@groups) {
        my ($id, $text) = split /=/, $g, 2;
        my $s = $st{$id} or next;
        $s->{last} = $time if $time gt $s->{last};
        $s->{type} = $type;
        $s->{n}++;
        $s->{sum} = substr md5_hex($s->{sum} . $text), 0, 12;
        $n++;
    }
    return $n;
}

my $known = load_catalog($catalog) or die "no catalogue $catalog\n";
open my $in, '<', $journal or die "$journal: $!\n";
my ($bulletins, $reports, $changed, %types) = (0, 0, 0);
while (my $line = <$in>) {
    chomp $line;
    my ($time, $type, @groups) = split / /, $line;
    next unless defined $type && $time =~ /^\d{12}$/;
    my $n = apply_bulletin($time, $type, @groups);
    $bulletins++;
    $reports += $n;
    $types{$type} += $n;
    $changed += $n;
}
close $in;
save_catalog($catalog) if $changed;
printf "%d stations, %d bulletins, %d reports\n", $known, $bulletins, $reports;
printf "%-6s %d\n", $_, $types{$_} for sort keys %types;
