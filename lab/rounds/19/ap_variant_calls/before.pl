#!/usr/bin/perl
# split_vcf.pl COHORT.vcf OUTDIR
# Splits a cohort VCF by chromosome, recomputes AC/AN/AF, drops failing sites
# and leaves packed per-chromosome files for the archive.
use strict;
use warnings;

my ($vcf, $outdir) = @ARGV;
die "usage: $0 cohort.vcf outdir\n" unless defined $outdir;
my @packer = ('xz', '-9', '-e', '-c');
my (%out, %sites, @header);

sub out_name {
    my ($chrom) = @_;
    return "$outdir/$chrom.vcf.xz";
}

sub open_packed {
    my ($chrom) = @_;
    my $cmd = join(' ', @packer) . ' > ' . out_name($chrom);
    open(my $fh, '|-', $cmd) or die "cannot start $cmd: $!\n";
    print {$fh} @header;
    return $fh;
}

sub allele_counts {
    my ($fmt, @calls) = @_;
    my ($ac, $an) = (0, 0);
    for my $call (@calls) {
        my ($gt, $gq) = split /:/, $call;
        next if $gq < 10;
        for my $al (split m{[/|]}, $gt) {
            next if $al eq '.';
            $an++;
            $ac++ if $al > 0;
        }
    }
    return ($ac, $an);
}

sub transition {
    my ($r, $a) = @_;
    my %ts = (AG => 1, GA => 1, CT => 1, TC => 1);
    return exists $ts{"$r$a"} ? 1 : 0;
}

mkdir $outdir unless -d $outdir;
open(my $in, '<', $vcf) or die "$vcf: $!\n";
my ($kept, $dropped, $ti, $tv) = (0, 0, 0, 0);
my $current = '';
my $fh;
while (my $line = <$in>) {
    if ($line =~ /^#/) {
        push @header, $line;
        next;
    }
    chomp $line;
    my @f = split /\t/, $line;
    if ($f[6] ne 'PASS' || $f[5] < 20) {
        $dropped++;
        next;
    }
    my ($ac, $an) = allele_counts($f[8], @f[9 .. $#f]);
    next unless $an;
    $f[7] .= sprintf(';AC=%d;AN=%d;AF=%.4f', $ac, $an, $ac / $an);
    if ($f[0] ne $current) {
        if ($fh) { close $fh or die "packer failed\n"; }
        $current = $f[0];
        $fh = open_packed($current);
    }
    print {$fh} join("\t", @f), "\n";
    transition($f[3], $f[4]) ? $ti++ : $tv++;
    $sites{$current}++;
    $kept++;
}
close $in;
if ($fh) { close $fh or die "packer failed\n"; }

# verify the archive: unpack and count
my $sum = 0;
for my $chrom (sort keys %sites) {
    open(my $chk, '-|', 'xz', '-dc', out_name($chrom)) or die "xz: $!\n";
    my $n = 0;
    while (<$chk>) {
        next if /^#/;
        $n++;
        $sum = ($sum + unpack('%32C*', $_)) & 0xffffffff;
    }
    close $chk;
    die "$chrom: $n of $sites{$chrom} sites in archive\n" if $n != $sites{$chrom};
}
printf "kept %d dropped %d titv %.4f sum %d\n", $kept, $dropped, $ti / $tv, $sum;
