#!/usr/bin/env perl
# probe_tm.pl PROBES.tsv OUT.tsv
# Melting temperatures of capture probes. The thermodynamics sit in a coprocess
# (the group's "nntm" filter: a sequence per line in, dH dS Tm per line out),
# which is driven with IPC::Open2.
use strict;
use warnings;
use IO::Handle;
use IPC::Open2;

die "usage: probe_tm.pl PROBES.tsv OUT.tsv\n" unless @ARGV == 2;
my ($probes, $outfile) = @ARGV;

# the filter; SantaLucia 1998 nearest neighbours
my $nntm = <<'FILTER';
$| = 1;
my %h = (AA=>-7.9,TT=>-7.9,AT=>-7.2,TA=>-7.2,CA=>-8.5,TG=>-8.5,GT=>-8.4,AC=>-8.4,
         CT=>-7.8,AG=>-7.8,GA=>-8.2,TC=>-8.2,CG=>-10.6,GC=>-9.8,GG=>-8.0,CC=>-8.0);
my %s = (AA=>-22.2,TT=>-22.2,AT=>-20.4,TA=>-21.3,CA=>-22.7,TG=>-22.7,GT=>-22.4,AC=>-22.4,
         CT=>-21.0,AG=>-21.0,GA=>-22.2,TC=>-22.2,CG=>-27.2,GC=>-24.4,GG=>-19.9,CC=>-19.9);
while (my $q = <STDIN>) {
    chomp $q;
    my ($dh, $ds) = (0.2, -5.7);
    for my $i (0 .. length($q) - 2) {
        my $d = substr $q, $i, 2;
        $dh += $h{$d}; $ds += $s{$d};
    }
    printf "%.1f %.1f %.2f\n", $dh, $ds, 1000 * $dh / ($ds + 1.987 * log(1e-6 / 4)) - 273.15;
}
FILTER

my $pid = open2(my $from, my $to, $^X, '-e', $nntm);

# a line of the filter; it is given up after ten seconds
sub answer {
    local $SIG{ALRM} = sub { die "nntm does not answer\n" };
    alarm 10;
    my $line = <$from>;
    alarm 0;
    die "nntm went away\n" unless defined $line;
    chomp $line;
    return $line;
}

# ask the filter for one probe
sub melt {
    my ($seq) = @_;
    print {$to} "$seq\n";
    return split / /, answer();
}

my ($n, $sum, %bin) = (0, 0);
open my $in,  '<', $probes  or die "$probes: $!";
open my $out, '>', $outfile or die "$outfile: $!";
while (<$in>) {
    chomp;
    my ($name, $seq) = split /\t/;
    my ($dh, $ds, $tm) = melt($seq);
    print {$out} join("\t", $name, length $seq, $dh, $ds, $tm), "\n";
    $n++;
    $sum += $tm;
    $bin{ 5 * int($tm / 5) }++;
}
close $in;
close $out or die "$outfile: $!";

close $to;
close $from;
waitpid $pid, 0;

printf "probes %d mean Tm %.3f\n", $n, $sum / $n;
printf "%d\t%d\n", $_, $bin{$_} for sort { $a <=> $b } keys %bin;
