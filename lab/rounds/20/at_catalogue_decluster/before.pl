#!/usr/bin/perl
# Decluster an earthquake catalogue by windows in time and space, write the main
# shocks to one file per magnitude class and print the b-value.
use strict;
use warnings;

my ($path, $mc) = @ARGV;
$path ||= 'catalogue.csv';
$mc = 2.0 unless defined $mc;

my %out;
my (@active, %count, %by_depth);
my ($lines, $main, $dependent, $sum) = (0, 0, 0, 0);

sub window_days {
    my ($m) = @_;
    return 0.02 * 10**(0.45 * ($m - 2));
}

sub window_km {
    my ($m) = @_;
    return 4 * 10**(0.25 * ($m - 2));
}

sub class_file {
    my ($m) = @_;
    my $c = int($m);
    $c = 6 if $c > 6;
    if (!$out{$c}) {
        open($out{$c}, '>', "main_m$c.csv") or die "main_m$c.csv: $!\n";
        print { $out{$c} } "id,time,mag\n";
    }
    $count{$c}++;
    return $out{$c};
}

# Drop what cannot reach the time t any more.
sub expire {
    my ($t) = @_;
    @active = grep { $_->[3] >= $t } @active;
}

sub is_dependent {
    my ($la, $lo, $m) = @_;
    for my $a (@active) {
        next if $a->[4] < $m;
        my $dy = ($la - $a->[0]) * 111.19;
        next if abs($dy) > $a->[2];
        my $dx = ($lo - $a->[1]) * 85.0;
        return 1 if $dx * $dx + $dy * $dy <= $a->[2] * $a->[2];
    }
    return 0;
}

open(my $in, '<', $path) or die "$path: $!\n";
my $head = <$in>;
while (my $line = <$in>) {
    chomp $line;
    my ($id, $t, $lat, $lon, $depth, $mag) = split /,/, $line;
    $lines++;
    next if $mag < $mc;
    expire($t) if $lines % 16 == 0;
    $by_depth{ int($depth / 40) }++;
    if (is_dependent($lat, $lon, $mag)) {
        $dependent++;
        next;
    }
    push @active, [ $lat, $lon, window_km($mag), $t + window_days($mag), $mag ];
    $main++;
    $sum += $mag;
    my $fh = class_file($mag);
    print {$fh} "$id,$t,$mag\n";
}
close($in);
close($_) for values %out;

printf "events %d main %d dependent %d\n", $lines, $main, $dependent;
printf "b-value %.4f\n", 0.4342945 / ($sum / $main - ($mc - 0.05)) if $main;
printf "class %d %d\n", $_, $count{$_} for sort { $a <=> $b } keys %count;
printf "depth %d %d\n", $_ * 40, $by_depth{$_} for sort { $a <=> $b } keys %by_depth;
