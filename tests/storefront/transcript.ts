import { eventually } from '#harness/eventually.ts';
import type { Stall } from './chat-market.ts';

/** What players say and what happens, as a readable transcript. */
export interface Transcript {
  title(text: string): void;
  note(text: string): void;
  /** A player says one or several lines and reads this many private answers. @returns the last answer */
  says(name: string, text: string | readonly string[], answers?: number): Promise<string>;
  /** Waits until a player has received an item. */
  receives(name: string, item: string, quantity: number): Promise<void>;
  /** In Markdown. */
  readonly text: string;
  /** Everything that anyone but the speaker heard. */
  readonly overheard: readonly string[];
  /** Private answers, without the parts that differ per run. */
  readonly answers: ReadonlySet<string>;
}

/** A delivery waits for its queue, and a machine under load is slow. */
const patienceMs = 60_000;
/** The public text of the command of the market's product, of which the game may show only a part. */
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
