/** The part of a Minecraft world that keeps a record of gifts, as a scripted Game Agent reports it. */
export interface RecordingGame {
  /** Every gift that was carried out, as `<player> <item> <count>`. */
  readonly given: string[];
  readonly marks: Map<string, string>;
  /** The names of present players, by UUID. */
  readonly there: Map<string, string>;
  /** `starting`: it takes no commands yet; `silent`: it answers none. */
  mood: 'well' | 'starting' | 'silent';
  run(command: string): string;
  /** Loses what was not saved, and stays down for a while. */
  crash(): void;
}

const shape =
  /^minecraft:execute unless data storage castellan:deliveries \{"([^"]+)":1b\} unless data storage castellan:deliveries \{"\1":2b\} store success storage castellan:deliveries "\1" byte 1 (?:as (\S+) )?run minecraft:(.*)$/;

export const createRecordingGame = (): RecordingGame => {
  const marks = new Map<string, string>();
  const there = new Map<string, string>();
  const given: string[] = [];
  const items = new Set(['diamond', 'minecraft:stone', 'minecraft:diamond']);
  let begunMs = Date.now() - 1_000_000;

  const get = (id: string): string => {
    const mark = marks.get(id);
    return mark === undefined
      ? `Found no elements matching "${id}"`
      : `Storage castellan:deliveries has the following contents: ${mark}`;
  };
  /** Null: it failed. */
  const inner = (command: string, self: string | undefined): { reply: string; isDone: boolean } => {
    const give = /^give (\S+) (\S+) (\d+)$/.exec(command);
    if (!give) {
      const id = /^data get storage castellan:deliveries "([^"]+)"$/.exec(command)?.[1] ?? '';
      return { reply: get(id), isDone: marks.has(id) };
    }
    const player = give[1] === '@s' ? there.get(self ?? '') : give[1];
    if (![...there.values()].includes(player ?? '')) return { reply: 'No player was found', isDone: false };
    given.push(`${player} ${give[2]} ${give[3]}`);
    return { reply: `Gave ${give[3]} [Thing] to ${player}`, isDone: true };
  };

  return {
    given,
    marks,
    there,
    mood: 'well',
    run(command) {
      const guarded = shape.exec(command);
      if (guarded) {
        const [, id = '', self, rest = ''] = guarded;
        const item = /^give \S+ (\S+)/.exec(rest)?.[1];
        if (item !== undefined && !items.has(item)) return `Unknown item '${item}'`;
        if (marks.get(id) === '1b' || marks.get(id) === '2b') return '';
        if (self !== undefined && !there.has(self)) return '';
        const { reply, isDone } = inner(rest, self);
        marks.set(id, isDone ? '1b' : '0b');
        return reply;
      }
      const plain = command.replace(/^minecraft:/, '');
      const withdrawn =
        /^execute unless .* run minecraft:data modify storage castellan:deliveries "([^"]+)"/.exec(
          plain,
        )?.[1];
      if (withdrawn !== undefined) {
        if (marks.get(withdrawn) !== '1b') marks.set(withdrawn, '2b');
        return 'Modified storage castellan:deliveries';
      }
      const removed = /^data remove storage castellan:deliveries "([^"]+)"$/.exec(plain)?.[1];
      if (removed !== undefined) marks.delete(removed);
      if (plain.startsWith('data get ')) return inner(plain, undefined).reply;
      if (plain === 'time query gametime') return `The time is ${Math.floor((Date.now() - begunMs) / 50)}`;
      return 'Unknown or incomplete command, see below for error';
    },
    crash() {
      marks.clear();
      begunMs += 60_000;
    },
  };
};
