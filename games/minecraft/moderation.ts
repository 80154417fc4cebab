import { reasons } from '#contracts/kernel/reasons.ts';
import { renderCommand } from '../command-text.ts';
import {
  type ActionForms,
  type GameActions,
  type PlayerReference,
  type Rendered,
  wasSoAlready,
} from '../game.ts';
import { type Proof, type Refusal, readReply } from '../reply-reading.ts';
import { floodgateUuidIn } from '../xuid.ts';
import { longestCommandBytes } from './limits.ts';
import { nameFor, showsPlayer, spokenText } from './names.ts';
import { absentRefusals, syntaxRefusals, unknownPlayerRefusal } from './refusals.ts';

type Moderation = 'kick' | 'ban' | 'unban' | 'whitelist-add' | 'whitelist-remove';

interface Wording {
  readonly command: string;
  /** Matches the line that names the player, up to the text of ours that the game repeats. */
  readonly sign: RegExp;
  readonly shapes: readonly RegExp[];
  readonly reason: string;
  /** The whole reply when nothing had to be done. */
  readonly already?: string;
  readonly refusals: readonly Refusal[];
  /** What helps if the list cannot name a Bedrock player, by the player's UUID or name in quotes. */
  readonly bedrock?: (who: string) => string;
}

const shows = (wording: Wording, player: PlayerReference): Proof => {
  const who = nameFor(player);
  return {
    sign: wording.sign,
    proves: (line) =>
      'name' in who &&
      wording.shapes.some((shape) => {
        const shown = shape.exec(line)?.[1];
        return shown !== undefined && showsPlayer(shown, who.name);
      }),
    reason: wording.reason,
  };
};

const read = (wording: Wording, reply: string, player: PlayerReference, echo: readonly string[]) => {
  const { already } = wording;
  const proofs = [shows(wording, player)];
  if (already !== undefined)
    proofs.push({
      sign: new RegExp(already, 'g'),
      proves: (line) => line === already,
      reason: wasSoAlready,
    });
  const verdict = readReply(reply, { proofs, refusals: [...wording.refusals, ...syntaxRefusals], echo });
  const uuid = floodgateUuidIn(player.platformId);
  const isMisread = syntaxRefusals.some(({ reason }) => reason === verdict.reason);
  if (verdict.verdict !== 'failed' || isMisread || uuid === null || !wording.bedrock) return verdict;
  return { ...verdict, reason: wording.bedrock(uuid) };
};

const render = (wording: Wording, player: PlayerReference, reason = ''): Rendered => {
  const who = nameFor(player);
  if ('refused' in who) return who;
  // Only `kick` is for players on the server; the others write lists.
  const word = wording.command === 'kick' ? who.word : who.listWord;
  if (word === null) {
    const gamertag = floodgateUuidIn(player.platformId) ?? `"${who.name.replace(/^\W/, '')}"`;
    return { refused: wording.bedrock?.(gamertag) ?? reasons['minecraft-name-shape'] };
  }
  return renderCommand(`${wording.command} ${word} ${reason}`.trimEnd(), longestCommandBytes);
};

const withReason = (wording: Wording): ActionForms<'kick' | 'ban'> => ({
  render: ({ player, reason }) => render(wording, player, spokenText(reason)),
  read: (reply, { player, reason }) => {
    const said = spokenText(reason);
    return read(wording, reply, player, said === '' ? [] : [`'${said}'`, said]);
  },
});

const withoutReason = (wording: Wording): ActionForms<Exclude<Moderation, 'kick' | 'ban'>> => ({
  render: ({ player }: GameActions['unban']) => render(wording, player),
  read: (reply, { player }) => read(wording, reply, player, []),
});

export const kick = withReason({
  command: 'kick',
  sign: /Kicked (?!by an operator)/g,
  shapes: [/^Kicked (.+?) from the game:?$/, /^Kicked (.+?):(?: Kicked by an operator\.?)?$/],
  reason: 'The game says that it kicked the player.',
  refusals: absentRefusals,
});

export const ban = withReason({
  command: 'ban',
  sign: /Banned (?!by an operator)/g,
  shapes: [/^Banned player (.+)$/, /^Banned (.+?):(?: Banned by an operator\.?)?$/],
  reason: 'The game says that it banned the player.',
  already: 'Nothing changed. The player is already banned',
  bedrock: () => reasons['bedrock-ban'],
  refusals: [
    unknownPlayerRefusal,
    { sign: /Could not ban player /, verdict: 'failed', reason: 'Minecraft knows no player of this name.' },
  ],
});

export const unban = withoutReason({
  command: 'pardon',
  sign: /Unbanned /g,
  shapes: [/^Unbanned (?:player )?(.+)$/],
  reason: 'The game says that it lifted the ban.',
  already: "Nothing changed. The player isn't banned",
  bedrock: () => reasons['bedrock-unban'],
  refusals: [
    unknownPlayerRefusal,
    { sign: /Could not unban player /, verdict: 'failed', reason: 'The game has no ban of this name.' },
  ],
});

/**
 * The game looks up names that it has not seen of late at Mojang, which knows no Bedrock player (GeyserMC/Floodgate#168,
 * GeyserMC/Geyser#4400), and takes no blanks in them (GeyserMC/Floodgate#650). Floodgate has a command of its own for the whitelist,
 * whose answer comes later and in the server's language (its wiki: Features, Whitelist command).
 */
const floodgateList =
  (what: 'add' | 'remove') =>
  (who: string): string =>
    reasons['bedrock-whitelist'](`fwhitelist ${what} ${who}`);

export const whitelistAdd = withoutReason({
  command: 'whitelist add',
  sign: /Added /g,
  shapes: [/^Added (.+) to the whitelist$/],
  reason: 'The game says that the player may join.',
  already: 'Player is already whitelisted',
  bedrock: floodgateList('add'),
  refusals: [
    unknownPlayerRefusal,
    { sign: /Could not add /, verdict: 'failed', reason: 'Minecraft knows no player of this name.' },
  ],
});

export const whitelistRemove = withoutReason({
  command: 'whitelist remove',
  sign: /Removed /g,
  shapes: [/^Removed (.+) from the whitelist$/],
  reason: 'The game says that the player may not join any more.',
  already: 'Player is not whitelisted',
  bedrock: floodgateList('remove'),
  refusals: [
    unknownPlayerRefusal,
    { sign: /Could not remove /, verdict: 'failed', reason: 'No one of this name is on the whitelist.' },
  ],
});
