#!/usr/bin/perl
# runqc: quality report of a sequencing run; figures per lane come from the helper lane_qc.py
# usage: runqc.pl --python PYTHON --out REPORT LANEDIR
use strict;
use warnings;
use Getopt::Long;
use File::Basename qw(basename);

my ($python, $out, $limit) = ('python3', 'report.tsv', 80);
GetOptions('python=s' => \$python, 'out=s' => \$out, 'limit=f' => \$limit)
    or die "usage: runqc.pl [--python P] [--out FILE] [--limit Q30] LANEDIR\n";
my $dir = shift @ARGV or die "runqc: no lane folder given\n";

sub lane_files {
    my ($folder) = @_;
    opendir(my $dh, $folder) or die "runqc: cannot open $folder: $!\n";
    my @files = sort grep { /\.metrics\.csv$/ } readdir $dh;
    closedir $dh;
    return map { "$folder/$_" } @files;
}

# cheap look at the table before the helper is asked
sub check_header {
    my ($path) = @_;
    open(my $in, '<', $path) or die "runqc: $path: $!\n";
    my $head = <$in>;
    my $rows = 0;
    my %tiles;
    while (<$in>) { $rows++; $tiles{ (split /,/)[0] }++ }
    close $in;
    die "runqc: $path: unexpected header\n" unless $head =~ /^tile,cycle,q30/;
    return ($rows, scalar keys %tiles);
}

# one start of the helper for all lanes
sub all_figures {
    my @paths = @_;
    my %of;
    open(my $helper, '-|', $python, 'lane_qc.py', @paths) or die "runqc: helper: $!\n";
    while (my $line = <$helper>) {
        chomp $line;
        my ($path, @fields) = split /\t/, $line;
        $of{$path} = \@fields;
    }
    close $helper or die "runqc: helper failed\n";
    return \%of;
}

my @files = lane_files($dir);
die "runqc: no lanes in $dir\n" unless @files;

open(my $report, '>', $out) or die "runqc: $out: $!\n";
print {$report} join("\t", qw(lane rows tiles q30 slope worst_tile verdict)), "\n";
my $passed = 0;
my $figures = all_figures(@files);
for my $path (@files) {
    my ($rows, $tiles) = check_header($path);
    my ($q30, $slope, $worst) = @{ $figures->{$path} };
    my $ok = $q30 >= $limit && $slope > -0.5;
    $passed++ if $ok;
    print {$report} join("\t", basename($path, '.metrics.csv'), $rows, $tiles,
        $q30, $slope, $worst, $ok ? 'pass' : 'fail'), "\n";
}
close $report or die "runqc: $out: $!\n";
printf "%d of %d lanes passed\n", $passed, scalar @files;
