import { type Client, DiscordAPIError, Routes } from 'discord.js';
import type { RoleChange, RoleChangeOutcome, RoleChangeReason } from '#contracts/discord-roles.ts';
import type { Language } from '#contracts/language.ts';
import { untilEnded } from '../discord-request.ts';

/** Shown in Discord's audit log. */
const reasons: Readonly<Record<Language, Readonly<Record<RoleChangeReason, string>>>> = {
  en: {
    linked: 'Castellan: has linked a player',
    points: 'Castellan: has enough points',
    hours: 'Castellan: has played long enough',
    bought: 'Castellan: bought it in the store',
    'not-earned': 'Castellan: the reason for the role no longer applies',
    refunded: 'Castellan: its purchase was refunded, or belongs to another account now',
    ended: 'Castellan: the time is over',
  },
  'pt-BR': {
    linked: 'Castellan: vinculou um jogador',
    points: 'Castellan: tem pontos suficientes',
    hours: 'Castellan: jogou tempo suficiente',
    bought: 'Castellan: comprou na loja',
    'not-earned': 'Castellan: o motivo do cargo não vale mais',
    refunded: 'Castellan: a compra foi reembolsada ou é de outra conta agora',
    ended: 'Castellan: o prazo acabou',
  },
};

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const code = { unknownMember: 10_007, unknownRole: 10_011, unknownUser: 10_013 } as const;

export interface ChangeRoleOptions {
  readonly client: Client<true>;
  readonly guildId: string;
  readonly change: RoleChange;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/** Gives or takes a role; doing it twice has the same result as once. */
export const changeRole = async ({
  client,
  guildId,
  change,
  language,
  signal,
}: ChangeRoleOptions): Promise<RoleChangeOutcome> => {
  const route = Routes.guildMemberRole(guildId, change.discordId, change.roleId);
  const reason = reasons[language][change.because];
  const { rest } = client;
  try {
    await untilEnded(
      (ended) =>
        change.change === 'give'
          ? rest.put(route, { reason, signal: ended })
          : rest.delete(route, { reason, signal: ended }),
      signal,
    );
    return 'done';
  } catch (error) {
    if (!(error instanceof DiscordAPIError) || error.status === 401 || error.status >= 500) return 'in-doubt';
    if (error.code === code.unknownMember || error.code === code.unknownUser) return 'member-gone';
    return error.code === code.unknownRole ? 'role-unknown' : 'role-refused';
  }
};
