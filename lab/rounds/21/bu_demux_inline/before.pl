#!/usr/bin/env perl
# demux_inline.pl BARCODES.txt POOL.fq OUTDIR
# Splits a pooled FASTQ by the inline barcode at the 5' end. The barcode is
# clipped from sequence and quality; unknown barcodes go to "undetermined".
# One mismatch is allowed where that is unambiguous.
use strict;
use warnings;

die "usage: demux_inline.pl BARCODES.txt POOL.fq OUTDIR\n" unless @ARGV == 3;
my ($sheet, $pool, $outdir) = @ARGV;
mkdir $outdir unless -d $outdir;

# barcode -> well, with the neighbours at distance one
my (%well, %clash);
open my $bh, '<', $sheet or die "$sheet: $!";
while (<$bh>) {
    chomp;
    my ($name, $bc) = split /\t/;
    $well{$bc} = $name;
    for my $i (0 .. length($bc) - 1) {
        for my $b (qw(A C G T N)) {
            my $n = $bc;
            next if substr($n, $i, 1) eq $b;
            substr($n, $i, 1) = $b;
            $clash{$n}++ if exists $well{$n};
            $well{$n} //= $name;
        }
    }
}
close $bh;
delete $well{$_} for keys %clash;
my $blen = 8;

unlink glob "$outdir/*.fq";

# append one record to the file of its well
sub emit {
    my ($name, $head, $seq, $qual) = @_;
    my $path = "$outdir/$name.fq";
    open my $oh, '>>', $path or die "$path: $!";
    print {$oh} "$head\n$seq\n+\n$qual\n";
    close $oh or die "$path: $!";
}

my (%n, %bases);
open my $fh, '<', $pool or die "$pool: $!";
while (my $head = <$fh>) {
    my $seq = <$fh>;
    <$fh>;
    my $qual = <$fh>;
    chomp($head, $seq, $qual);
    my $name = $well{ substr $seq, 0, $blen } // 'undetermined';
    $seq  = substr $seq,  $blen;
    $qual = substr $qual, $blen;
    emit($name, $head, $seq, $qual);
    $n{$name}++;
    $bases{$name} += length $seq;
}
close $fh;

my ($files, $total) = (0, 0);
for my $name (sort keys %n) {
    my $size = -s "$outdir/$name.fq";
    printf "%s\t%d\t%d\t%d\n", $name, $n{$name}, $bases{$name}, $size if $n{$name} > 3060;
    $files++;
    $total += $size;
}
print "files $files bytes $total\n";
