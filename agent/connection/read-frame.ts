import { type ApiFrame, apiFrame } from '#contracts/servers/agent-protocol.ts';

/** `unknown`: a type from a later version of the API; null: broken. */
export const readFrame = (text: string): ApiFrame | 'unknown' | null => {
  try {
    const value: unknown = JSON.parse(text);
    const frame = apiFrame.safeParse(value).data;
    if (frame) return frame;
    const type = (value as { type?: unknown } | null)?.type;
    return typeof type === 'string' && !knownTypes.has(type) ? 'unknown' : null;
  } catch {
    return null;
  }
};

const knownTypes = new Set<string>(apiFrame.options.map(({ shape }) => shape.type.value));
