// Order service replay: orders from a feed file are matched against a small
// book; every accepted order is put in the write-ahead journal.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
)

type Order struct {
	ID    uint64
	Side  byte
	Price int64
	Qty   int64
}

type Journal struct {
	f   *os.File
	seq uint64
	buf []byte
}

func OpenJournal(path string) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND|os.O_SYNC, 0o644)
	if err != nil {
		return nil, err
	}
	return &Journal{f: f}, nil
}

func (j *Journal) Append(o Order) error {
	j.seq++
	b := j.buf[:0]
	b = binary.LittleEndian.AppendUint64(b, j.seq)
	b = binary.LittleEndian.AppendUint64(b, o.ID)
	b = append(b, o.Side)
	b = binary.LittleEndian.AppendUint64(b, uint64(o.Price))
	b = binary.LittleEndian.AppendUint64(b, uint64(o.Qty))
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	j.buf = b
	_, err := j.f.Write(b)
	return err
}

func (j *Journal) Close() error { return j.f.Close() }

type Book struct {
	bids, asks map[int64]int64
	traded     int64
}

func (b *Book) Match(o Order) {
	own, other := b.bids, b.asks
	if o.Side == 'S' {
		own, other = b.asks, b.bids
	}
	if have := other[o.Price]; have > 0 {
		n := min(have, o.Qty)
		other[o.Price] -= n
		o.Qty -= n
		b.traded += n * o.Price
	}
	if o.Qty > 0 {
		own[o.Price] += o.Qty
	}
}

func parse(line string) (Order, error) {
	p := strings.Split(line, ",")
	if len(p) != 4 {
		return Order{}, fmt.Errorf("bad line %q", line)
	}
	id, err := strconv.ParseUint(p[0], 10, 64)
	if err != nil {
		return Order{}, err
	}
	price, _ := strconv.ParseInt(p[2], 10, 64)
	qty, _ := strconv.ParseInt(p[3], 10, 64)
	return Order{id, p[1][0], price, qty}, nil
}

func verify(path string) (n int, crc uint32) {
	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	r := bufio.NewReader(f)
	rec := make([]byte, 37)
	for {
		if _, err := io.ReadFull(r, rec); err != nil {
			return
		}
		if crc32.ChecksumIEEE(rec[:33]) != binary.LittleEndian.Uint32(rec[33:]) {
			log.Fatalf("record %d is damaged", n)
		}
		crc = crc32.Update(crc, crc32.IEEETable, rec)
		n++
	}
}

func main() {
	feed, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer feed.Close()
	j, err := OpenJournal("orders.wal")
	if err != nil {
		log.Fatal(err)
	}
	book := &Book{bids: map[int64]int64{}, asks: map[int64]int64{}}
	sc := bufio.NewScanner(feed)
	for sc.Scan() {
		o, err := parse(sc.Text())
		if err != nil {
			log.Println("skipped:", err)
			continue
		}
		if err := j.Append(o); err != nil {
			log.Fatal(err)
		}
		book.Match(o)
	}
	if err := j.Close(); err != nil {
		log.Fatal(err)
	}
	n, crc := verify("orders.wal")
	fmt.Printf("%d orders journalled, traded %d, crc %08x\n", n, book.traded, crc)
}
