import { renderCommand } from '../command-text.ts';
import type { ActionForms, PlayerReference, Rendered } from '../game.ts';
import { readReply } from '../reply-reading.ts';
import { listedPlayer, mayBe, presentPlayer } from './ids.ts';
import { longestCommandBytes } from './limits.ts';
import { refusals } from './refusals.ts';
import { quotable } from './speech.ts';

/** The game knows no ban for good. */
const banLength = '100 years';
/** It tells this when the list gets its first entry or loses its last. */
const whitelistSwitched = /^Whitelist only mode has been (?:ACTIVATED|DISABLED)!$/;
/** The owner of a shared license, and the account that is on the server. */
const bannedBeside =
  /^Steam Family Sharing license owner \S+ banned until .+, reason: .*$|^Kicking player \(.*\): EntityID=.*$/i;

/** The game puts whoever is on the server into its lists under the EOS id, whatever id was given, and looks for the one that is given. */
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

/** Orders to the game's lists, whose answers begin with an id. */
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

export const ban: ActionForms<'ban'> = {
  render: ({ player, reason }) =>
    listed((id) => `ban add ${id} ${banLength}${quoted(quotable(reason))}`, player),
  read: (reply, { player }) =>
    readListed(
      reply,
      player,
      /^banned until .+, reason: .*$/,
      bannedBeside,
      'The game says that it banned the player.',
    ),
};

/** Lifts the ban of this id, and says so even when there was none. */
export const unban: ActionForms<'unban'> = {
  render: ({ player }) => listed((id) => `ban remove ${id}`, player),
  read: (reply, { player }) => {
    const reason = 'The game says that it lifted the ban.';
    const verdict = readListed(reply, player, /^removed from ban list\.$/, whitelistSwitched, reason);
    const isKeptElsewhere = verdict.verdict === 'done' && !player.platformId?.startsWith('eos:');
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

/** Takes those who are on the server off under each of their ids and says `was not on` all the same. */
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
