#!/usr/bin/perl
# ws_climat: trend of the yearly means of every station (Theil-Sen slope and
# Mann-Kendall statistic) from the monthly climate files, one per station.
use strict;
use warnings;
use List::Util qw(sum min max);

my ($dir, $out) = @ARGV;
die "usage: ws_climat dir out\n" unless defined $out;

sub read_station {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!\n";
    my (%head, %year);
    while (<$fh>) {
        chomp;
        if (/^#\s*(\w+)\s*:\s*(.*)$/) { $head{lc $1} = $2; next }
        my ($ym, $t, $q) = split /;/;
        next if !defined $q || $q =~ /[X?]/ || $t <= -99;
        push @{ $year{ substr $ym, 0, 4 } }, $t;
    }
    close $fh;
    my @series = map { [$_, sum(@{ $year{$_} }) / @{ $year{$_} }] } grep { @{ $year{$_} } >= 10 } sort keys %year;
    return (\%head, \@series);
}

sub theil_sen {
    my ($s) = @_;
    my @slopes;
    my $mk = 0;
    for my $i (0 .. $#$s - 1) {
        my ($y0, $t0) = @{ $s->[$i] };
        for my $j ($i + 1 .. $#$s) {
            my $d = $s->[$j][1] - $t0;
            push @slopes, $d / ($s->[$j][0] - $y0);
            $mk += $d <=> 0;
        }
    }
    @slopes = sort { $a <=> $b } @slopes;
    my $n = @slopes;
    my $med = $n % 2 ? $slopes[$n / 2] : ($slopes[$n / 2 - 1] + $slopes[$n / 2]) / 2;
    return ($med, $mk, @slopes[int($n * 0.05), int($n * 0.95)]);
}

opendir my $d, $dir or die "$dir: $!\n";
my @files = sort grep { /\.kl$/ } readdir $d;
closedir $d;
open my $o, '>', "$out.tmp" or die "$out.tmp: $!\n";
print $o "station;name;years;slope10;mk;lo;hi\n";
my ($used, $short, @all) = (0, 0);
for my $f (@files) {
    my ($h, $s) = read_station("$dir/$f");
    if (@$s < 30) { $short++; next }
    my ($slope, $mk, $lo, $hi) = theil_sen($s);
    printf $o "%s;%s;%d;%.3f;%d;%.3f;%.3f\n", $h->{station}, $h->{name}, scalar @$s, $slope * 10, $mk, $lo * 10, $hi * 10;
    push @all, $slope;
    $used++;
}
close $o or die "$out.tmp: $!\n";
rename "$out.tmp", $out or die "$out: $!\n";
printf "%d stations, %d too short, mean slope %.3f K/decade (%.3f to %.3f)\n", $used, $short, 10 * sum(@all) / @all, 10 * min(@all), 10 * max(@all);
