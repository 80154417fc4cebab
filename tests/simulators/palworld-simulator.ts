import { createServer, type IncomingMessage } from 'node:http';
import { openGameLog } from './game-log.ts';
import { steamId } from './identities.ts';
import { openListener } from './listener.ts';
import { type ApiAnswer, type ApiOptions, answerApi } from './palworld-api.ts';
import { perform } from './perform.ts';
import { noQuirks, type Quirks } from './quirks.ts';
import { assembleSimulator, type Simulator, type SimulatorOptions, usualPassword } from './simulator.ts';
import { openWire, type Wire } from './wire.ts';
import { createWorld } from './world.ts';

/** Where the API differs between versions, and how it fails. */
export interface PalworldQuirks extends Quirks, Pick<ApiOptions, 'accepted' | 'loading'> {
  /** Answers in chunks of this many bytes; null: with the length in front. */
  chunkBytes: number | null;
  /** Answers with this status in place of carrying a command out; null: as usual. */
  statusOf: (command: string) => number | null;
  accepted: ApiOptions['accepted'];
  loading: ApiOptions['loading'];
}

export type PalworldSimulator = Simulator<PalworldQuirks>;

const palworldQuirks = (): PalworldQuirks => ({
  ...noQuirks(),
  chunkBytes: null,
  statusOf: () => null,
  accepted: 'OK',
  loading: [],
  garbage: Buffer.from('Please enter password:\r\n'),
});

const body = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString();
  if (text === '') return {};
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : undefined;
  } catch {
    return undefined;
  }
};

const head = (status: number, ...lines: readonly string[]): string =>
  [`HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Other'}`, ...lines, 'Connection: close', '', ''].join(
    '\r\n',
  );

const encode = ({ status, body: text }: ApiAnswer, chunkBytes: number | null): readonly Buffer[] => {
  const bytes = Buffer.from(text);
  const lines = [
    `Content-Type: ${text.startsWith('{') ? 'application/json' : 'text/plain'}; charset=utf-8`,
    ...(status === 401 ? ['WWW-Authenticate: Basic realm="Palworld"'] : []),
    ...(status >= 300 && status < 400 ? ['Location: http://127.0.0.1:9/v1/api/info'] : []),
  ];
  if (chunkBytes === null)
    return [Buffer.concat([Buffer.from(head(status, ...lines, `Content-Length: ${bytes.length}`)), bytes])];
  const parts = [Buffer.from(head(status, ...lines, 'Transfer-Encoding: chunked'))];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes);
    parts.push(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
};

/** A Palworld server with its REST API. */
export const startPalworld = async (
  options: SimulatorOptions<PalworldQuirks> = {},
): Promise<PalworldSimulator> => {
  const { password = usualPassword, logFile, now = () => new Date() } = options;
  if (password === '') throw new Error('Palworld answers only with a password');
  const quirks = { ...palworldQuirks(), ...options.quirks };
  const log = openGameLog({ file: logFile });
  const write = (message: string) =>
    log.write(`[${now().toISOString().slice(0, 19).replace('T', ' ')}] ${message}`);
  const world = createWorld({
    onGiven: options.onGiven,
    identify: (name) => ({ platformId: `steam_${steamId(name)}`, crossId: `steam_${steamId(name)}` }),
    firstNumericId: 0x28f2ded7,
    items: [],
    observer: {
      joined({ name, platformId, numericId }) {
        write(`[LOG] ${name} 127.0.0.1 connected the server. (User id: ${platformId})`);
        const id = `${numericId.toString(16).toUpperCase()}${'0'.repeat(24)}`;
        write(`[LOG] ${name} joined the server. (User id: ${platformId}, Player id: ${id})`);
      },
      left: ({ name, platformId }) => write(`[LOG] ${name} left the server. (User id: ${platformId})`),
      chatted: ({ name }, text) => write(`[CHAT] <${name}> ${text}`),
    },
  });

  const credentials = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const answer = async (request: IncomingMessage, wire: Wire) => {
    const sent = await body(request);
    const [, name = ''] = /^\/v1\/api\/([\w-]+)$/.exec(request.url ?? '') ?? [];
    // As the product's commands: the endpoint, then the values of the body.
    const command = [name, ...Object.values(sent ?? {}).map(String)].join(' ');
    if (quirks.refusePasswords || request.headers.authorization !== credentials) {
      await wire.send(Buffer.concat([...encode({ status: 401, body: '' }, null)]));
      return wire.end();
    }
    let status = 404;
    await perform({
      command,
      quirks,
      world,
      wire,
      interpret() {
        const instead = quirks.statusOf(command);
        const said =
          instead === null
            ? answerApi({ world, ...quirks }, { method: request.method ?? '', name, body: sent })
            : { status: instead, body: '' };
        status = said?.status ?? 404;
        write(`[LOG] REST accessed endpoint /v1/api/${name} ${status === 200 ? 'OK' : 'NG'}`);
        return said?.body ?? null;
      },
      unknownReply: '',
      encode: (reply) =>
        encode({ status: quirks.replies.has(command) ? 200 : status, body: reply }, quirks.chunkBytes),
      negativeLength: Buffer.from(head(200, 'Content-Length: -4')),
      endlessPart: Buffer.from('e'.repeat(65_536)),
      onExecution() {
        if (quirks.fateOf(command) === 'endless')
          void wire.send(Buffer.from(head(200, 'Content-Type: text/plain')));
      },
    });
    if (quirks.fateOf(command) !== 'silence' && quirks.fateOf(command) !== 'ignore') wire.end();
  };

  const wires = new WeakMap<object, Wire>();
  // Parses requests; the answers go to the socket itself, so that they can be cut anywhere.
  const http = createServer((request) => {
    const wire = wires.get(request.socket) ?? openWire(request.socket, quirks);
    void answer(request, wire);
  });
  const listener = await openListener({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    quirks,
    serve(socket, wire) {
      wires.set(socket, wire);
      http.emit('connection', socket);
    },
  });
  return assembleSimulator({ listener, game: 'palworld', password, world, quirks, log, logFile });
};
