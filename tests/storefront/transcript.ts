import { eventually } from '#harness/eventually.ts';
import type { Stall } from './chat-market.ts';

/** What players say and what becomes of it, written down for a person to read. */
export interface Transcript {
  title(text: string): void;
  note(text: string): void;
  /** A player says something, or several lines at once, and reads so many private answers. @returns the last of them */
  says(name: string, text: string | readonly string[], answers?: number): Promise<string>;
  /** Waits until an item is in a player's hands. */
  receives(name: string, item: string, quantity: number): Promise<void>;
  /** In Markdown. */
  readonly text: string;
  /** Everything that was heard by anyone but the one who spoke. */
  readonly overheard: readonly string[];
  /** Private answers, without what is different in each run. */
  readonly answers: ReadonlySet<string>;
}

/** A delivery waits for its queue, and a machine under load is slow. */
const patienceMs = 60_000;
/** What the command of the market's product says to all: the game may show a part of it alone. */
const announced = /^\d+(?: \d+)?$/;

export const writeTranscript = ({ world, say, whispers }: Stall): Transcript => {
  const lines: string[] = [];
  const overheard: string[] = [];
  const answers = new Set<string>();
  return {
    title: (text) => void lines.push('', `## ${text}`, ''),
    note: (text) => void lines.push('', `*${text}*`, ''),
    async says(name, text, count = 1) {
      const before = whispers(name).length;
      const from = world.messages.length;
      for (const line of [text].flat()) {
        lines.push(`- **${name}:** ${line}`);
        say(name, line, 'heard');
      }
      await eventually(() => {
        const told = whispers(name).length - before;
        if (told < count) throw new Error(`${name} said “${text}” and was told ${told} lines, not ${count}`);
      }, patienceMs);
      for (const { to, text: told } of world.messages.slice(from)) {
        if (to === null && announced.test(told)) {
          lines.push('  - *the game announces what was bought*');
          continue;
        }
        if (to !== name) overheard.push(`${to ?? 'all'}: ${told}`);
        answers.add(told.replace(/\b\d{6}\b/g, '######').replace(/\b\d+(?= se[cg])/, '#'));
        lines.push(`  - to ${to ?? 'all'}: ${told}`);
      }
      return whispers(name).at(-1) ?? '';
    },
    async receives(name, item, quantity) {
      const before = lines.push('');
      await eventually(() => {
        const given = world.given
          .filter((one) => one.player === name && one.item === item)
          .reduce((sum, one) => sum + one.quantity, 0);
        if (given !== quantity) throw new Error(`${name} has ${given} of ${item}, not ${quantity}`);
      }, patienceMs);
      lines[before - 1] = `  - *${name} receives ${quantity} × ${item}*`;
    },
    get text() {
      return `${lines.join('\n').trim()}\n`;
    },
    overheard,
    answers,
  };
};
