import { randomBytes, randomUUID } from 'node:crypto';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import { renderCommand } from '../command-text.ts';
import type { PlayerReference } from '../game.ts';
import { plainLines, plainText } from '../reply-reading.ts';
import type { GiveGuard, GuardForm, GuardMark } from '../store-forms.ts';
import { giftFault, give } from './give.ts';
import { longestCommandBytes } from './limits.ts';
import { nameFor } from './names.ts';

/** A hundred stacks of an unstackable item: above a hundred stacks `give` fails without reporting it, and would be marked as given. */
export const mostGuarded = 100;

/** In the world's own command storage: saved with the world, and lost with it. */
const storage = 'castellan:deliveries';
const uuid = /^minecraft:(?<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** `minecraft:` addresses the game's own commands where plug-ins replace them; the plain game does not know such names. */
const prefix = (form: GuardForm): string => (form === 'namespaced' ? 'minecraft:' : '');

const path = (id: string): string => {
  if (!/^[\w-]{1,64}$/.test(id)) throw new TypeError(`this is no id of a mark: ${id}`);
  return `"${id}"`;
};

const unless = (id: string, mark: string): string => `unless data storage ${storage} {${path(id)}:${mark}}`;

/** Executes the command unless it was executed before, or was withdrawn; leaves 1b, or 0b when the game refuses it. All within one tick. */
const guarded = (id: string, form: GuardForm, as: string, command: string): string =>
  `${prefix(form)}execute ${unless(id, '1b')} ${unless(id, '2b')} store success storage ${storage} ${path(id)} byte 1 ` +
  `${as}run ${prefix(form)}${command}`;

/** Selects the gift's player: by UUID, so that an absent player leaves no mark. `give` itself takes no UUID. */
const receiver = (
  player: PlayerReference,
): { readonly as: string; readonly word: string } | { refused: string } => {
  const known = uuid.exec(player.platformId ?? '')?.groups?.uuid;
  if (known !== undefined) return { as: `as ${known} `, word: '@s' };
  const who = nameFor(player);
  return 'name' in who ? { as: '', word: who.word } : who;
};

const marks: Readonly<Record<string, GuardMark>> = { '0b': 'refused', '1b': 'given', '2b': 'withdrawn' };
/** `commands.data.storage.query` and `arguments.nbtpath.nothing_found` of the game's language file. */
const contents = /^Storage castellan:deliveries has the following contents: (?<mark>[012]b)$/;
const nothing = /^Found no elements matching \S+$/;

const query: GiveGuard['query'] = {
  command: (id, form) => `${prefix(form)}data get storage ${storage} ${path(id)}`,
  read(reply) {
    const [line = '', ...others] = plainLines(reply);
    if (others.length > 0) return 'unreadable';
    if (nothing.test(line)) return 'absent';
    return marks[contents.exec(line)?.groups?.mark ?? ''] ?? 'unreadable';
  },
};

/** `commands.time.query` until 1.21, `commands.time.query.gametime` since 26.1. */
const gameTime = /^The (?:game )?time is (?<ticks>\d{1,16})(?: tick\(s\))?$/;

export const guard: GiveGuard = {
  probe: async (run) => {
    const faults: string[] = [];
    for (const form of ['namespaced', 'plain'] as const) {
      const fault = await probeForm(run, form);
      if (fault === null) return { form };
      faults.push(`${form}: ${fault}`);
    }
    return { unfit: `The server does not guard gifts (${faults.join(' ')})` };
  },
  render({ id, give: { player, ...gift } }, form) {
    const to = receiver(player);
    if ('refused' in to) return to;
    const fault = giftFault(gift, mostGuarded);
    if (fault !== null) return { refused: fault };
    return renderCommand(
      guarded(id, form, to.as, `give ${to.word} ${gift.item} ${gift.quantity}`),
      longestCommandBytes,
    );
  },
  read(reply, gift) {
    const text = plainText(reply);
    if (isSkipped(text))
      return {
        verdict: 'unproven',
        reason: reasons['guard-silent'],
      };
    // The guard failed, not the gift: the server may be another one than the one probed.
    if (/^Unknown (?:or incomplete )?command/.test(text))
      return { verdict: 'later', reason: reasons['guard-unknown'] };
    return give.read(reply, gift.give);
  },
  query,
  withdraw: (id, form) =>
    `${prefix(form)}execute ${unless(id, '1b')} run ${prefix(form)}data modify storage ${storage} ${path(id)} set value 2b`,
  forget: (id, form) => `${prefix(form)}data remove storage ${storage} ${path(id)}`,
  clock: {
    // Through `execute`, versions without namespaced names bypass a plug-in's own `time`.
    command: (form) =>
      form === 'namespaced' ? 'minecraft:time query gametime' : 'execute run time query gametime',
    read(reply) {
      const { ticks } = gameTime.exec(plainText(reply))?.groups ?? {};
      return ticks === undefined ? null : Number(ticks);
    },
  },
};

/**
 * A condition forks a command, and in forks the game reports neither errors nor failed conditions. A server that does report
 * them uses the game's text for it (`commands.execute.conditional.fail`).
 */
const isSkipped = (text: string): boolean => text === '' || text === 'Test failed';

/**
 * Null, or why this form fails the test: a gift to an unknown player must be refused, with its message or silently, and a
 * command run once must be skipped the second time.
 */
const probeForm = async (
  run: (command: string) => Promise<CommandResult>,
  form: GuardForm,
): Promise<string | null> => {
  const nowhere = `probe-${randomUUID()}`;
  const twice = `probe-${randomUUID()}`;
  const unusedName = `_${randomBytes(7).toString('hex')}`;
  const question = guarded(twice, form, '', `data get storage ${storage} ${path(nowhere)}`);
  const ask = async (command: string): Promise<string> => (await run(command)).reply ?? 'no answer';
  const mark = async (id: string): Promise<GuardMark> => query.read(await ask(query.command(id, form)));

  const attempt = async (): Promise<string | null> => {
    const answer = plainText(await ask(guarded(nowhere, form, '', `give ${unusedName} minecraft:stone 1`)));
    // The unmodified game says nothing here; the reply of a plug-in's `give` is not trusted.
    if (answer !== '' && answer !== 'No player was found')
      return unexpected('a gift to an unknown player', answer);
    if ((await mark(nowhere)) !== 'refused')
      return 'a gift to an unknown player left no mark of its failure.';
    const first = await ask(question);
    if (query.read(first) !== 'refused') return unexpected('a guarded question', first);
    if ((await mark(twice)) !== 'given') return 'a guarded question left no mark of its success.';
    const second = plainText(await ask(question));
    return isSkipped(second) ? null : unexpected('a guarded question the second time', second);
  };
  const fault = await attempt();
  for (const id of [nowhere, twice]) await run(guard.forget(id, form));
  return fault;
};

const longestShown = 120;
const unexpected = (what: string, answer: string): string =>
  `${what} was answered ${JSON.stringify(plainText(answer).slice(0, longestShown).toWellFormed())}.`;
