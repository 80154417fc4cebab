import { openRawClient, type RawClient } from './raw-client.ts';
import { encodeFrame, type Frame } from './source-rcon-frames.ts';

/** A client that writes single frames and returns the received ones uninterpreted. */
export interface RawRconClient extends RawClient {
  sendFrame(id: number, type: number, body?: string): Promise<void>;
  /** The first `count` frames since the last `forget`. */
  frames(count: number): Promise<readonly TextFrame[]>;
  /** The text of the first frame in reply; calls `forget` before and after. */
  run(command: string): Promise<string>;
}

export type TextFrame = Omit<Frame, 'body'> & { readonly text: string; readonly bytes: number };

const commandId = 77;

export const openRawRcon = async (port: number, password?: string): Promise<RawRconClient> => {
  const raw = await openRawClient(port);
  const sendFrame = (id: number, type: number, body = '') => raw.send(encodeFrame(id, type, body));
  const frames = (count: number) =>
    raw.until((received) => {
      const found = framesIn(received);
      return found.length >= count ? found.slice(0, count) : null;
    });
  const client: RawRconClient = Object.assign(raw, {
    sendFrame,
    frames,
    async run(command: string) {
      raw.forget();
      await sendFrame(commandId, 2, command);
      const [frame] = await frames(1);
      raw.forget();
      return frame?.text ?? '';
    },
  });
  if (password !== undefined) {
    await sendFrame(1, 3, password);
    await frames(1);
    raw.forget();
  }
  return client;
};

const framesIn = (bytes: Buffer): TextFrame[] => {
  const frames: TextFrame[] = [];
  for (let start = 0; start + 4 <= bytes.length; ) {
    const end = start + 4 + bytes.readInt32LE(start);
    if (end > bytes.length) break;
    const body = bytes.subarray(start + 12, end - 2);
    frames.push({
      id: bytes.readInt32LE(start + 4),
      type: bytes.readInt32LE(start + 8),
      text: body.toString(),
      bytes: body.length,
    });
    start = end;
  }
  return frames;
};
