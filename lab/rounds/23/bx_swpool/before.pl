#!/usr/bin/perl
# bx_swpool - best local alignments of peptides against a target set; the pairs are shared between two forked workers
# that answer over pipes (structure of the fork/pipe example in perlipc).
use strict; use warnings;

my ($qfile, $tfile, $outfile) = @ARGV;
die "usage: $0 queries.fa targets.fa hits.tsv\n" unless defined $outfile;
my $workers = 2;

sub read_fasta {
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    my (@r, $name);
    while (my $l = <$in>) {
        chomp $l;
        if ($l =~ /^>(\S+)/) { push @r, [$1, '']; }
        elsif (@r) { $r[-1][1] .= $l; }
        else { die "$path: no header before line $.\n"; }
    }
    close $in;
    return @r;
}

my %class;
$class{$_} = 1 for split //, 'AVLIMC';
$class{$_} = 2 for split //, 'FWYH';
$class{$_} = 3 for split //, 'STNQ';
$class{$_} = 4 for split //, 'KR';
$class{$_} = 5 for split //, 'DE';
$class{$_} = 6 for split //, 'GP';

sub align {
    my ($a, $b) = @_;
    my @a = split //, $a; my @b = split //, $b;
    my @row = (0) x (@b + 1);
    my $best = 0;
    for my $x (@a) {
        my $diag = 0;
        for my $j (1 .. @b) {
            my $y = $b[$j - 1];
            my $s = $diag + ($x eq $y ? 5 : $class{$x} == $class{$y} ? 2 : -2);
            $diag = $row[$j];
            my $g = ($row[$j] > $row[$j - 1] ? $row[$j] : $row[$j - 1]) - 4;
            $s = $g if $g > $s;
            $s = 0 if $s < 0;
            $row[$j] = $s;
            $best = $s if $s > $best;
        }
    }
    return $best;
}

sub worker {
    my ($k, $to, $q, $t) = @_;
    select((select($to), $| = 1)[0]);
    for my $i (grep { $_ % $workers == $k } 0 .. $#$t) {
        for my $query (@$q) {
            printf $to "%s\t%s\t%d\n", $query->[0], $t->[$i][0], align($query->[1], $t->[$i][1]);
        }
    }
    close $to;
}

my @q = read_fasta($qfile);
my @t = read_fasta($tfile);
my @pipe;
for my $k (0 .. $workers - 1) {
    pipe(my $from, my $to) or die "pipe: $!";
    my $pid = fork() // die "fork: $!";
    if (!$pid) { close $from; worker($k, $to, \@q, \@t); exit 0; }
    close $to;
    push @pipe, [$from, $pid];
}
my %hits;
for my $p (@pipe) {
    my $from = $p->[0];
    while (<$from>) { chomp; my ($q, $t, $s) = split /\t/; push @{ $hits{$q} }, [$t, $s]; }
    close $from;
    waitpid $p->[1], 0;
    die "worker $p->[1] failed\n" if $?;
}
open my $out, '>', $outfile or die "$outfile: $!\n";
for my $q (sort keys %hits) {
    my @h = sort { $b->[1] <=> $a->[1] || $a->[0] cmp $b->[0] } @{ $hits{$q} };
    print $out join("\t", $q, @$_), "\n" for @h[0 .. 9];
    print "$q\t", scalar(@h), " targets, best $h[0][0] $h[0][1]\n";
}
close $out or die "$outfile: $!\n";
