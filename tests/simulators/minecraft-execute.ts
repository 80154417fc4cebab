import {
  here,
  type Outcome,
  type Parsed,
  parseGive,
  type Source,
  select,
  unknownCommand,
} from './minecraft-give.ts';
import type { Level } from './minecraft-level.ts';
import type { World } from './world.ts';

export interface ExecuteConsole {
  readonly world: World;
  readonly level: Level;
  readonly decorate: (name: string) => string;
  /** 1.14 has no command storage. */
  readonly hasStorage: boolean;
  /** Reports errors in forks, too, unlike the plain game. */
  readonly tellsForks: boolean;
  /** Parses other commands inside `execute … run` than those below; null for an unknown command. */
  parseOther(line: string, start: number): Parsed | null;
}

const done = (text: string, result = 1): Outcome => ({ text, success: true, result });
const failed = (text: string): Outcome => ({ text, success: false, result: 0 });

/** A storage's name and a path: `"key"`, `key`, or `{"key":1b}` to match a value. */
const storagePlace =
  /^storage (?<name>[a-z0-9_.-]+:[a-z0-9_./-]+) (?:\{(?<matchKey>"[\w-]+"|[\w-]+): ?(?<value>-?\d{1,3})b\}|(?<key>"[\w-]+"|[\w-]+))(?= |$)/;
interface Place {
  readonly name: string;
  readonly key: string;
  readonly original: string;
  readonly value: number | null;
  readonly length: number;
}

const readPlace = (text: string): Place | null => {
  const match = storagePlace.exec(text);
  const { name, key, matchKey, value } = match?.groups ?? {};
  const original = key ?? matchKey;
  if (!match || name === undefined || original === undefined) return null;
  return {
    name,
    original,
    key: original.replaceAll('"', ''),
    value: value === undefined ? null : Number(value),
    length: match[0].length,
  };
};

const stored = ({ storage }: Level, { name, key }: Place): number | undefined => storage.get(name)?.get(key);
const store = ({ storage }: Level, { name, key }: Place, value: number) => {
  const named = storage.get(name) ?? new Map<string, number>();
  storage.set(name, named.set(key, value));
};
const holds = (level: Level, place: Place): boolean =>
  place.value === null ? stored(level, place) !== undefined : stored(level, place) === place.value;

/** `data get|modify|remove storage`. Texts: `commands.data.storage.*`, `arguments.nbtpath.nothing_found` and `commands.data.merge.failed`. */
export const parseData = (console: ExecuteConsole, line: string, start: number): Parsed => {
  const { level } = console;
  const [, verb = ''] = /^data (get|modify|remove) /.exec(line.slice(start)) ?? [];
  const at = start + 'data '.length + verb.length + 1;
  const place = verb === '' || !console.hasStorage ? null : readPlace(line.slice(at));
  if (!place || place.value !== null) return { fault: here('Incorrect argument for command', line, at) };
  const rest = line.slice(at + place.length);
  const nothing = `Found no elements matching ${place.original}`;
  const modified = `Modified storage ${place.name}`;
  if (verb === 'modify') {
    const [, wanted] = /^ set value (-?\d{1,3})b$/.exec(rest) ?? [];
    if (wanted === undefined) return { fault: here(unknownCommand, line, line.length) };
    return {
      run() {
        if (stored(level, place) === Number(wanted))
          return failed('Nothing changed. The specified properties already have these values');
        store(level, place, Number(wanted));
        return done(modified);
      },
    };
  }
  if (rest !== '') return { fault: here('Incorrect argument for command', line, line.length) };
  if (verb === 'remove')
    return {
      run: () => (level.storage.get(place.name)?.delete(place.key) ? done(modified) : failed(nothing)),
    };
  return {
    run() {
      const value = stored(level, place);
      return value === undefined
        ? failed(nothing)
        : done(`Storage ${place.name} has the following contents: ${value}b`, value);
    },
  };
};

const commandWord = /^(?:minecraft:)?[a-z-]+/;

/** A command inside `execute … run`, or a console line. */
export const parseCommand = (console: ExecuteConsole, line: string, start: number): Parsed => {
  const other = console.parseOther(line, start);
  if (other) return other;
  const [word = ''] = commandWord.exec(line.slice(start)) ?? [];
  const plain = word.replace('minecraft:', '');
  const from = start + word.length - plain.length;
  if (plain === 'give') {
    const { world, level, decorate } = console;
    return parseGive({ world, receive: level.receive, decorate }, line, from);
  }
  if (plain === 'data') return parseData(console, line, from);
  if (plain === 'execute') return parseExecute(console, line, from);
  return { fault: here(unknownCommand, line, start + word.length) };
};

type Step =
  | { readonly kind: 'condition'; readonly place: Place; readonly expected: boolean }
  | { readonly kind: 'store'; readonly place: Place; readonly what: 'success' | 'result' }
  | { readonly kind: 'as'; readonly target: string };

/** `execute` with conditions on storages, `store … byte`, `as` and `run`. */
const parseExecute = (console: ExecuteConsole, line: string, start: number): Parsed => {
  const steps: Step[] = [];
  let at = start + 'execute '.length;
  for (;;) {
    const rest = line.slice(at);
    const [run] = /^run (?=\S)/.exec(rest) ?? [];
    if (run !== undefined) {
      const inner = parseCommand(console, line, at + run.length);
      return 'fault' in inner ? inner : { run: (source) => perform(console, steps, inner.run, source) };
    }
    const step = readStep(rest, console.hasStorage);
    if (!step) return { fault: here('Incorrect argument for command', line, Math.min(at, line.length)) };
    steps.push(step.step);
    at += step.length;
  }
};

const readStep = (text: string, hasStorage: boolean): { step: Step; length: number } | null => {
  const [as, target] = /^as (\S+) /.exec(text) ?? [];
  if (as !== undefined && target !== undefined) return { step: { kind: 'as', target }, length: as.length };
  const [head, first, what] = /^(?:(if|unless) data|store (success|result)) (?=storage )/.exec(text) ?? [];
  const place = head === undefined || !hasStorage ? null : readPlace(text.slice(head.length));
  if (head === undefined || !place) return null;
  const end = head.length + place.length;
  if (first !== undefined)
    return { step: { kind: 'condition', place, expected: first === 'if' }, length: end + 1 };
  const [scale] = /^ byte 1(?:\.0)? /.exec(text.slice(end)) ?? [];
  if (scale === undefined || place.value !== null) return null;
  return {
    step: { kind: 'store', place, what: what === 'result' ? 'result' : 'success' },
    length: end + scale.length,
  };
};

/**
 * Like Brigadier (`CommandDispatcher.execute`, since 1.20.3 the game's own `BuildContexts`): a condition and `as` create
 * forks; without any fork nothing runs and nothing is stored; in forks an error is stored as 0 and not shown.
 */
const perform = (
  { world, level, tellsForks }: ExecuteConsole,
  steps: readonly Step[],
  command: (source: Source) => Outcome,
  first: Source,
): Outcome => {
  let sources: readonly Source[] = [first];
  /** `commands.execute.conditional.fail`, `argument.entity.notfound.entity`. */
  let missed = 'Test failed';
  const stores: Extract<Step, { kind: 'store' }>[] = [];
  for (const step of steps) {
    if (step.kind === 'store') stores.push(step);
    else if (step.kind === 'condition') sources = holds(level, step.place) === step.expected ? sources : [];
    else {
      if (sources.length > 0) missed = 'No entity was found';
      sources = sources.flatMap(({ player }) =>
        step.target === '@s' ? [{ player }] : select(world, step.target).map((one) => ({ player: one })),
      );
    }
  }
  const isForked = steps.some(({ kind }) => kind !== 'store');
  const outcomes = sources.map((source) => {
    const outcome = command(source);
    for (const { place, what } of stores)
      store(level, place, what === 'result' ? outcome.result : Number(outcome.success));
    return outcome;
  });
  const shown = outcomes.filter(({ success }) => success || tellsForks || !isForked).map(({ text }) => text);
  if (sources.length === 0 && tellsForks) shown.push(missed);
  const result = outcomes.reduce((sum, outcome) => sum + outcome.result, 0);
  return {
    text: shown.filter((text) => text !== '').join('\n'),
    success: outcomes.some(({ success }) => success),
    result,
  };
};
