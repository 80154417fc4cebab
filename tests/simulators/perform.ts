import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Quirks } from './quirks.ts';
import type { Wire } from './wire.ts';
import type { World } from './world.ts';

export interface Performance {
  readonly command: string;
  readonly quirks: Quirks;
  readonly world: World;
  readonly wire: Wire;
  /** The reply; null for an unknown command. */
  readonly interpret: (command: string) => string | null;
  readonly unknownReply: string;
  /** A reply as bytes on the wire. */
  readonly encode: (reply: string) => readonly Buffer[];
  readonly negativeLength: Buffer;
  /** Repeated for an endless reply. */
  readonly endlessPart: Buffer;
  readonly betweenParts?: () => void;
  /** Called just before the command is executed, no matter what happens to its answer. */
  readonly onExecution?: () => void;
}

/** Executes a command and answers it, or handles it as its fate says. */
export const perform = async (performance: Performance): Promise<void> => {
  const { command, quirks, world, wire } = performance;
  const fate = quirks.fateOf(command);
  world.received.push(command);
  if (fate === 'ignore') return;
  if (fate === 'die-before') return wire.destroy();

  performance.onExecution?.();
  const executed = quirks.replies.get(command) ?? performance.interpret(command);
  if (executed !== null) world.commands.push(command);
  if (fate === 'silence') return;
  if (fate === 'die-after') return wire.destroy();

  await wire.wait(quirks.replyDelayMs);
  await quirks.beforeReply(command);
  if (fate === 'garbage') return wire.send(quirks.garbage);
  if (fate === 'negative-length') return wire.send(performance.negativeLength);
  if (fate === 'endless') return sendWithoutEnd(performance);
  const parts = performance.encode(executed ?? performance.unknownReply);
  if (fate === 'cut') return sendHalf(wire, Buffer.concat(parts));
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      performance.betweenParts?.();
      await wire.wait(quirks.partDelayMs);
    }
    await wire.send(part);
  }
};

const sendHalf = async (wire: Wire, bytes: Buffer) => {
  await wire.send(bytes.subarray(0, Math.floor(bytes.length / 2)));
  wire.end();
};

const sendWithoutEnd = async ({ command, quirks, wire, endlessPart }: Performance) => {
  while (!wire.closed && quirks.fateOf(command) === 'endless') {
    await wire.send(endlessPart);
    // A fast-reading client must not starve all others.
    await nextTurn();
  }
};
