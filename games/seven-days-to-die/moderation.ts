import { renderCommand } from '../command-text.ts';
import type { ActionForms, PlayerReference, Rendered } from '../game.ts';
import { readReply } from '../reply-reading.ts';
import { listedPlayer, mayBe, parsePlatformId, presentPlayer } from './ids.ts';
import { longestCommandBytes } from './limits.ts';
import { refusals } from './refusals.ts';
import { quotable } from './speech.ts';

/** The game has no permanent ban. */
const banLength = '100 years';
/** The game prints this when the list gets its first entry or loses its last. */
const whitelistSwitched = /^Whitelist only mode has been (?:ACTIVATED|DISABLED)!$/;
/** The owner of a shared license, and the account that is online. */
const bannedBeside =
  /^Steam Family Sharing license owner \S+ banned until .+, reason: .*$|^Kicking player \(.*\): EntityID=.*$/i;

/** The game lists online players under their EOS id, whatever id was given, and searches for the given one. */
const keptElsewhere =
  'The game looked for this id alone. Whoever was put on its list while on the server stands there under an EOS id: look at the list.';

const quoted = (text: string): string => (text === '' ? '' : ` "${text}"`);

export const kick: ActionForms<'kick'> = {
  render: ({ player, reason }) => {
    const who = presentPlayer(player);
    if ('refused' in who) return who;
    return renderCommand(`kick ${who.word}${quoted(quotable(reason))}`, longestCommandBytes);
  },
  read: (reply, { player, reason }) =>
    readReply(reply, {
      proofs: [
        {
          sign: /Kicking Player /g,
          proves: (line) => {
            const name = /^Kicking Player (.+):$/.exec(line)?.[1];
            return name !== undefined && (player.name === undefined || player.name === name);
          },
          reason: 'The game says that it kicks the player.',
        },
      ],
      refusals,
      echo: [quotable(reason)],
    }),
};

/** Commands for the game's lists, whose answers begin with an id. */
const listed = (command: (id: string) => string, player: PlayerReference): Rendered => {
  const who = listedPlayer(player);
  return 'refused' in who ? who : renderCommand(command(who.word), longestCommandBytes);
};

const readListed = (
  reply: string,
  player: PlayerReference,
  answer: RegExp,
  aside: RegExp,
  reason: string,
) => {
  const who = listedPlayer(player);
  return readReply(reply, {
    proofs: [
      {
        sign: /(?<!owner )\b(?:Steam|EOS|XBL|PSN|EGS)_[\w-]+ (?:banned|removed|added|was) /gi,
        proves: (line) => {
          const [id = '', ...said] = line.split(' ');
          return 'word' in who && mayBe(id, who.word) && answer.test(said.join(' '));
        },
        reason,
      },
    ],
    refusals,
    aside,
  });
};

const asListed = ({ listedAs, ...player }: PlayerReference): PlayerReference =>
  listedAs === undefined ? player : { ...player, platformId: listedAs };

/** A player who is already on the list is banned again under the same id: a second entry would survive the unban. */
export const ban: ActionForms<'ban'> = {
  render: ({ player, reason }) =>
    listed((id) => `ban add ${id} ${banLength}${quoted(quotable(reason))}`, asListed(player)),
  read: (reply, { player }) =>
    readListed(
      reply,
      asListed(player),
      /^banned until .+, reason: .*$/,
      bannedBeside,
      'The game says that it banned the player.',
    ),
};

/** The id on the list: the first one in the answer that proves the ban. */
export const bannedAs = (reply: string, player: PlayerReference): string | null => {
  if (ban.read(reply, { player, reason: '' }).verdict !== 'done') return null;
  const [, id] = /(?<!owner )\b((?:Steam|EOS|XBL|PSN|EGS)_[\w-]+) banned until /i.exec(reply) ?? [];
  return parsePlatformId(id);
};

/** Lifts the ban of this id, and reports success even when there was none. */
export const unban: ActionForms<'unban'> = {
  render: ({ player }) => listed((id) => `ban remove ${id}`, asListed(player)),
  read: (reply, { player: asked }) => {
    const player = asListed(asked);
    const reason = 'The game says that it lifted the ban.';
    const verdict = readListed(reply, player, /^removed from ban list\.$/, whitelistSwitched, reason);
    const isKeptElsewhere =
      verdict.verdict === 'done' && asked.listedAs === undefined && !player.platformId?.startsWith('eos:');
    return isKeptElsewhere ? { verdict: 'unproven', reason: keptElsewhere } : verdict;
  },
};

export const whitelistAdd: ActionForms<'whitelist-add'> = {
  render: ({ player }) => listed((id) => `whitelist add ${id}`, player),
  read: (reply, { player }) =>
    readListed(
      reply,
      player,
      /^added to whitelist\.$/,
      whitelistSwitched,
      'The game says that the player may join.',
    ),
};

/** Removes online players under each of their ids and still answers `was not on`. */
export const whitelistRemove: ActionForms<'whitelist-remove'> = {
  render: ({ player }) => listed((id) => `whitelist remove ${id}`, player),
  read: (reply, { player }) => {
    const read = (answer: RegExp, reason: string) =>
      readListed(reply, player, answer, whitelistSwitched, reason);
    if (read(/^was not on the whitelist\.$/, '').verdict === 'done')
      return { verdict: 'unproven', reason: keptElsewhere };
    return read(/^removed from the whitelist\.$/, 'The game says that the player may not join any more.');
  },
};
