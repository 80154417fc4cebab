import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

export interface NameServer extends AsyncDisposable {
  /** IPv4 lookups so far, by name. */
  readonly asked: Readonly<Record<string, number>>;
  /**
   * The addresses for the next lookups of a name, one list per lookup; the last one stays.
   * IPv6 addresses are written in full: eight groups.
   */
  answer(name: string, ...turns: readonly (readonly string[])[]): void;
}

const answerType = { A: 1, AAAA: 28 };

const bytesOf = (address: string): Buffer =>
  isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
      );

/** A name server on port 53 of 127.0.0.1 that changes its answers; its caller needs a separate network namespace. RFC 1035, section 4. */
export const startNameServer = async (): Promise<NameServer> => {
  const turns = new Map<string, (readonly string[])[]>();
  const asked: Record<string, number> = {};
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.');
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(12, at + 5);
    const left = turns.get(name) ?? [[]];
    const [found = []] = left;
    // A lookup asks for both kinds; the IPv4 query ends its turn.
    const isTurn = type === answerType.A;
    if (isTurn) asked[name] = (asked[name] ?? 0) + 1;
    if (isTurn && left.length > 1)
      setTimeout(() => {
        if (turns.get(name) === left) turns.set(name, left.slice(1));
      }, 30);
    const answers = found
      .map(bytesOf)
      .filter(({ length }) =>
        type === answerType.A ? length === 4 : type === answerType.AAAA && length === 16,
      )
      .map((bytes) =>
        Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]), bytes]),
      );
    const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    query.copy(head, 0, 0, 2);
    socket.send(Buffer.concat([head, question, ...answers]), port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
  return {
    asked,
    answer: (name, ...next) => void turns.set(name, [...next]),
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
};
