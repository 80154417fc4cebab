/** A Source RCON frame. `body` is UTF-8, but a character may be split between two frames. */
export interface Frame {
  readonly id: number;
  readonly type: number;
  readonly body: Buffer;
}

export const frameTypes = { response: 0, exec: 2, loginReply: 2, login: 3 } as const;

/** Besides the length itself: id, type, and the two NULs after the body. */
const emptyFrameBytes = 10;
/** Minecraft's largest frame has 12 KiB; a larger claim, such as the letters of another protocol, is not a frame. */
export const longestLoginFrameBytes = 128 * 1024;

export const encodeFrame = (id: number, type: number, body: string): Buffer => {
  const bytes = Buffer.from(body);
  const frame = Buffer.alloc(4 + emptyFrameBytes + bytes.length);
  frame.writeInt32LE(emptyFrameBytes + bytes.length, 0);
  frame.writeInt32LE(id, 4);
  frame.writeInt32LE(type, 8);
  bytes.copy(frame, 12);
  return frame;
};

interface FrameDecoder {
  /** The frames that these bytes complete, in order. */
  push(bytes: Buffer): readonly Frame[];
  /** The bytes are not Source RCON; everything after them is ignored. */
  isBroken(): boolean;
  /** A frame has begun and is incomplete. */
  hasPartial(): boolean;
}

/** Decodes frames from pieces split anywhere; holds at most one frame, and copies each byte once. */
export const createFrameDecoder = (longestFrameBytes = () => longestLoginFrameBytes): FrameDecoder => {
  const header = Buffer.alloc(4);
  let payload: Buffer | null = null;
  let filled = 0;
  let broken = false;

  /** Fills `into` from `bytes`; returns the number of bytes copied. */
  const fill = (into: Buffer, bytes: Buffer, offset: number): number => {
    const taken = bytes.copy(into, filled, offset);
    filled += taken;
    return taken;
  };

  return {
    push(bytes) {
      const frames: Frame[] = [];
      let offset = 0;
      while (offset < bytes.length && !broken) {
        const into: Buffer = payload ?? header;
        offset += fill(into, bytes, offset);
        if (filled < into.length) break;
        filled = 0;
        if (payload) {
          frames.push(readFrame(payload));
          payload = null;
        } else {
          const length = header.readInt32LE(0);
          broken = length < emptyFrameBytes || length > longestFrameBytes();
          if (!broken) payload = Buffer.allocUnsafe(length);
        }
      }
      return frames;
    },
    isBroken: () => broken,
    hasPartial: () => filled > 0 || payload !== null,
  };
};

const readFrame = (payload: Buffer): Frame => ({
  id: payload.readInt32LE(0),
  type: payload.readInt32LE(4),
  body: payload.subarray(8, endOfBody(payload)),
});

/** Two NULs end a frame, but some servers write only one. */
const endOfBody = (payload: Buffer): number => {
  let end = payload.length;
  while (end > payload.length - 2 && payload[end - 1] === 0) end -= 1;
  return end;
};
