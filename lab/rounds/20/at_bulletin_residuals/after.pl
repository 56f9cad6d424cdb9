#!/usr/bin/perl
# Travel time residuals of a bulletin against a table of travel times by depth and
# distance; prints the statistics by distance and the worst stations.
use strict;
use warnings;

my ($bulletin, $table) = @ARGV;
$bulletin ||= 'bulletin.txt';
$table    ||= 'ttimes.grid';

my $grid;

sub load_grid {
    return $grid if $grid;
    open(my $fh, '<:raw', $table) or die "$table: $!\n";
    my $size = -s $fh;
    my $got = sysread($fh, my $data, $size);
    die "$table: short\n" if !defined $got || $got != $size;
    close($fh);
    my ($magic, $nd, $nz, $dd, $dz) = unpack('a4VVff', $data);
    die "$table: no grid\n" if $magic ne 'TTG1';
    return $grid = { nd => $nd, nz => $nz, dd => $dd, dz => $dz, data => \$data };
}

sub node {
    my ($g, $iz, $id) = @_;
    return unpack('f', substr(${ $g->{data} }, 20 + 4 * ($iz * $g->{nd} + $id), 4));
}

# bilinear in depth and distance
sub travel_time {
    my ($g, $depth, $dist) = @_;
    my $z  = $depth / $g->{dz};
    my $d  = $dist / $g->{dd};
    my $iz = int($z);
    my $id = int($d);
    return undef if $iz + 1 >= $g->{nz} || $id + 1 >= $g->{nd};
    my $fz = $z - $iz;
    my $fd = $d - $id;
    return (1 - $fz) * ((1 - $fd) * node($g, $iz, $id) + $fd * node($g, $iz, $id + 1))
        + $fz * ((1 - $fd) * node($g, $iz + 1, $id) + $fd * node($g, $iz + 1, $id + 1));
}

sub event_residuals {
    my ($e) = @_;
    my $g = load_grid();
    my @res;
    for my $a (@{ $e->{arr} }) {
        my $t = travel_time($g, $e->{depth}, $a->[1]);
        push @res, [ $a->[0], $a->[1], $a->[2] - $t ] if defined $t;
    }
    return @res;
}

sub read_events {
    my ($path) = @_;
    my (@events, $e);
    open(my $fh, '<', $path) or die "$path: $!\n";
    while (my $line = <$fh>) {
        my @w = split ' ', $line;
        if ($w[0] eq 'EVENT') {
            $e = { id => $w[1], depth => $w[2], arr => [] };
            push @events, $e;
        }
        elsif ($w[0] eq 'ARR') {
            push @{ $e->{arr} }, [ @w[1 .. 3] ];
        }
    }
    close($fh);
    return \@events;
}

my (%bin, %sta);
my ($used, $sum, $sq) = (0, 0, 0);
my $events = read_events($bulletin);

open(my $out, '>', 'residuals.txt') or die "residuals.txt: $!\n";
for my $e (@$events) {
    for my $r (event_residuals($e)) {
        my ($code, $dist, $res) = @$r;
        printf {$out} "%d %s %.2f %.3f\n", $e->{id}, $code, $dist, $res;
        $used++;
        $sum += $res;
        $sq  += $res * $res;
        my $b = int($dist / 200);
        $bin{$b}{n}++;
        $bin{$b}{sum} += $res;
        $sta{$code} += abs($res);
    }
}
close($out);

printf "events %d arrivals %d\n", scalar(@$events), $used;
printf "mean %.4f rms %.4f\n", $sum / $used, sqrt($sq / $used) if $used;
for my $b (sort { $a <=> $b } keys %bin) {
    printf "%5d km %6d %9.4f\n", $b * 200, $bin{$b}{n}, $bin{$b}{sum} / $bin{$b}{n};
}
my @worst = sort { $sta{$b} <=> $sta{$a} || $a cmp $b } keys %sta;
splice @worst, 3 if @worst > 3;
printf "worst %s %.3f\n", $_, $sta{$_} for @worst;
