#!/usr/bin/env perl
# kmer_spectrum.pl READS.fa K PREFIX
# Canonical k-mer spectrum of a read set; the spectrum so far is saved every
# 2500 reads so that the job may be looked at (and the plot updated) on its way.
use strict;
use warnings;
use File::Temp qw(tempfile);
use IO::Handle;

die "usage: kmer_spectrum.pl READS.fa K PREFIX\n" unless @ARGV == 3;
my ($fasta, $k, $prefix) = @ARGV;

my %count;

# spectrum: how many k-mers are seen 1, 2, 3 ... times
sub spectrum {
    my @h;
    $h[ $_ > 200 ? 200 : $_ ]++ for values %count;
    return \@h;
}

# write next to the target, then rename, so that readers see a whole file
sub save {
    my ($h) = @_;
    my ($fh, $tmp) = tempfile("$prefix.XXXXXX", DIR => '.', UNLINK => 0);
    for my $i (1 .. $#$h) {
        printf {$fh} "%d\t%d\n", $i, $h->[$i] // 0;
    }
    $fh->flush;
    $fh->sync;
    close $fh or die "$tmp: $!";
    rename $tmp, "$prefix.hist" or die "$prefix.hist: $!";
}

# count both strands as one
sub add {
    my ($seq) = @_;
    (my $rc = reverse $seq) =~ tr/ACGT/TGCA/;
    my $last = length($seq) - $k;
    for my $i (0 .. $last) {
        my $f = substr $seq, $i, $k;
        my $r = substr $rc, $last - $i, $k;
        $count{ $f lt $r ? $f : $r }++;
    }
}

my $reads = 0;
my $saves = 0;
open my $in, '<', $fasta or die "$fasta: $!";
while (<$in>) {
    next if /^>/;
    chomp;
    add($_);
    if (++$reads % 2500 == 0) {
        save(spectrum());
        $saves++;
    }
}
close $in;
my $h = spectrum();
save($h);

# first valley and the peak behind it
my $valley = 1;
$valley++ while ($h->[$valley + 1] // 0) < ($h->[$valley] // 0);
my $peak = $valley;
for my $i ($valley .. $#$h) {
    $peak = $i if ($h->[$i] // 0) > ($h->[$peak] // 0);
}
printf "reads %d kmers %d saves %d\n", $reads, scalar keys %count, $saves;
printf "valley %d peak %d\n", $valley, $peak;
