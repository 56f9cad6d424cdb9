#!/usr/bin/perl
# ws_logroll: rewrites the access log of the forecast server into daily
# segments, reduced to one accounting line per client, path class and hour.
# A segment is complete only when it is synced and renamed, as the accounting
# job picks it up by name. Rotation order as in logrotate (.2 -> .3, .1 -> .2).
use strict;
use warnings;
use IO::Handle;
use POSIX qw(strftime);

my ($log, $dir) = @ARGV;
die "usage: ws_logroll access.log outdir\n" unless defined $dir;
-d $dir or mkdir $dir or die "$dir: $!\n";

my %month = do { my $i = 0; map { $_ => ++$i } qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec) };

sub path_class {
    my ($p) = @_;
    return "radar/$1"    if $p =~ m{^/radar/([a-z]+)/\d{8}/\d{4}\.(?:png|h5)$};
    return "forecast/$1" if $p =~ m{^/forecast/(\w+?)(?:_v\d+)?\.(?:json|xml)};
    return "gauge"       if $p =~ m{^/gauge/\d+(?:/(?:level|flow))?(?:\?.*)?$};
    return "static"      if $p =~ m{\.(?:css|js|ico|svg)$};
    return "other";
}

sub rotate {
    my ($base, $keep) = @_;
    for my $i (reverse 1 .. $keep - 1) {
        my ($from, $to) = ("$base.$i", "$base." . ($i + 1));
        rename $from, $to if -e $from;
    }
    rename $base, "$base.1" if -e $base;
}

sub flush_segment {
    my ($day, $acc) = @_;
    my $path = "$dir/acct-$day";
    rotate($path, 4);
    open my $fh, '>', "$path.tmp" or die "$path.tmp: $!\n";
    for my $k (sort keys %$acc) {
        my $a = $acc->{$k};
        printf $fh "%s %d %d %d %.1f\n", $k, $a->[0], $a->[1], $a->[2], $a->[1] / $a->[0];
    }
    $fh->flush or die "flush: $!\n";
    $fh->sync or die "sync: $!\n";
    close $fh or die "close: $!\n";
    rename "$path.tmp", $path or die "rename: $!\n";
    return scalar keys %$acc;
}

open my $in, '<', $log or die "$log: $!\n";
my ($day, %acc, $lines, $bad, @done) = ('');
$lines = $bad = 0;
while (my $l = <$in>) {
    $lines++;
    unless ($l =~ m{^(\d+\.\d+\.\d+\.\d+) \S+ \S+ \[(\d\d)/(\w{3})/(\d{4}):(\d\d):\d\d:\d\d [+-]\d{4}\] "(GET|HEAD|POST) (\S+) HTTP/[\d.]+" (\d{3}) (\d+) "([^"]*)" "([^"]*)"}) {
        $bad++;
        next;
    }
    my ($ip, $d, $m, $y, $hour, $path, $status, $size, $agent) = ($1, $2, $month{$3}, $4, $5, $7, $8, $9, $11);
    my $this = sprintf "%04d%02d%02d", $y, $m, $d;
    if ($this ne $day) {
        push @done, [$day, flush_segment($day, \%acc)] if $day;
        %acc = ();
        $day = $this;
    }
    my $kind = $agent =~ /(?:bot|spider|crawl)/i ? 'bot' : $agent =~ /^(curl|wget|python)/i ? lc $1 : 'user';
    my $a = $acc{join ' ', $ip, path_class($path), $hour, $kind} ||= [0, 0, 0];
    $a->[0]++;
    $a->[1] += $size;
    $a->[2]++ if $status >= 400;
}
push @done, [$day, flush_segment($day, \%acc)] if $day;
close $in;
printf "%d lines, %d bad\n", $lines, $bad;
printf "%s %d\n", @$_ for @done;
