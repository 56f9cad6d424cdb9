// bx_shipper - ships an access log to a collector on 127.0.0.1, in the window/ack manner of the lumberjack (beats) protocol.
// The collector is embedded here and ends with the run; it acknowledges a window once its index has taken it.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

type Event struct {
	Client, Path  string
	Status, Bytes int
}

func parse(line string) (Event, error) {
	p := strings.Split(line, "\"")
	if len(p) != 3 {
		return Event{}, fmt.Errorf("no request in %q", line)
	}
	req, tail := strings.Fields(p[1]), strings.Fields(p[2])
	if len(req) < 2 || len(tail) != 2 {
		return Event{}, fmt.Errorf("short line %q", line)
	}
	st, e1 := strconv.Atoi(tail[0])
	n, e2 := strconv.Atoi(tail[1])
	if e1 != nil || e2 != nil {
		return Event{}, fmt.Errorf("bad numbers %q", line)
	}
	return Event{strings.Fields(p[0])[0], req[1], st, n}, nil
}

// collect serves one connection: window = count, then count length-prefixed documents; the answer is the sequence number.
func collect(l net.Listener, path string, done chan<- error) {
	c, err := l.Accept()
	if err != nil {
		done <- err
		return
	}
	defer c.Close()
	f, err := os.Create(path)
	if err != nil {
		done <- err
		return
	}
	w, r, seq := bufio.NewWriter(f), bufio.NewReader(c), uint32(0)
	for {
		var n, size uint32
		if err := binary.Read(r, binary.BigEndian, &n); err == io.EOF {
			break
		} else if err != nil {
			done <- err
			return
		}
		for ; n > 0; n-- {
			binary.Read(r, binary.BigEndian, &size)
			doc := make([]byte, size)
			if _, err := io.ReadFull(r, doc); err != nil {
				done <- err
				return
			}
			w.Write(append(doc, '\n'))
			seq++
		}
		time.Sleep(time.Millisecond) // refresh of the index
		binary.Write(c, binary.BigEndian, seq)
	}
	w.Flush()
	done <- f.Close()
}

type Shipper struct {
	conn   net.Conn
	window [][]byte
	acked  uint32
}

const windowSize = 256

func (s *Shipper) Send(e Event) error {
	doc, err := json.Marshal(e)
	if err != nil {
		return err
	}
	s.window = append(s.window, doc)
	if len(s.window) < windowSize {
		return nil
	}
	return s.Flush()
}

func (s *Shipper) Flush() error {
	if len(s.window) == 0 {
		return nil
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(s.window)))
	for _, d := range s.window {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(d))), d...)
	}
	if _, err := s.conn.Write(b); err != nil {
		return err
	}
	s.window = s.window[:0]
	return binary.Read(s.conn, binary.BigEndian, &s.acked)
}

func main() {
	in, out := flag.String("in", "access.log", "log"), flag.String("out", "collected.log", "collected")
	flag.Parse()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	done := make(chan error, 1)
	go collect(l, *out, done)
	f, err := os.Open(*in)
	if err != nil {
		log.Fatal(err)
	}
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	s, bad, status := &Shipper{conn: conn}, 0, map[int]int{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		e, err := parse(sc.Text())
		if err != nil {
			bad++
			continue
		}
		status[e.Status]++
		if err := s.Send(e); err != nil {
			log.Fatal(err)
		}
	}
	if err := s.Flush(); err != nil {
		log.Fatal(err)
	}
	conn.Close()
	if err := <-done; err != nil {
		log.Fatal(err)
	}
	fmt.Println("shipped", s.acked, "bad", bad, "by status", status)
}
