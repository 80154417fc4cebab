/** Written from the protocol's description alone, so that it does not repeat errors of the product's own codec. */
export interface Frame {
  readonly id: number;
  readonly type: number;
  readonly body: Buffer;
}

export const frameTypes = { reply: 0, command: 2, loginReply: 2, login: 3 } as const;
export const refusedLoginId = -1;

/** Id, type and the two closing NULs: the smallest valid value of the size field. */
const smallestSize = 10;
/** No real request is longer; larger sizes are rejected. */
const largestRequestSize = 65_536;

export const encodeFrame = (id: number, type: number, body: Buffer | string): Buffer => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const frame = Buffer.alloc(4 + smallestSize + bytes.length);
  frame.writeInt32LE(smallestSize + bytes.length, 0);
  frame.writeInt32LE(id, 4);
  frame.writeInt32LE(type, 8);
  bytes.copy(frame, 12);
  return frame;
};

/** A frame with the length -4. */
export const negativeLengthFrame = (id: number): Buffer => {
  const frame = encodeFrame(id, frameTypes.reply, '');
  frame.writeInt32LE(-4, 0);
  return frame;
};

/** Null unless the bytes are exactly one frame. */
export const decodeSingleFrame = (bytes: Buffer): Frame | null => {
  if (bytes.length < 4 + smallestSize || bytes.readInt32LE(0) !== bytes.length - 4) return null;
  const body = bytes.subarray(12, -2);
  return { id: bytes.readInt32LE(4), type: bytes.readInt32LE(8), body };
};

/** Takes bytes as they arrive and returns the complete frames so far; null once the bytes cannot be a frame. */
export const createFrameReader = (): ((chunk: Buffer) => Frame[] | null) => {
  let pending = Buffer.alloc(0);
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    const frames: Frame[] = [];
    while (pending.length >= 4) {
      const size = pending.readInt32LE(0);
      if (size < smallestSize || size > largestRequestSize) return null;
      const frame = decodeSingleFrame(pending.subarray(0, 4 + size));
      if (!frame) break;
      frames.push(frame);
      pending = pending.subarray(4 + size);
    }
    return frames;
  };
};
