import type { MemberDetails } from '#contracts/members.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import { actingPlayer } from './chat-actor.ts';
import type { ChatCommand } from './chat-commands.ts';
import type { ChatRules } from './chat-rules.ts';
import type { PrivateAnswers } from './private-answers.ts';

export interface AccountCommandsOptions {
  readonly ofPlayer: (playerId: string) => Promise<MemberDetails | Refusal>;
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
  readonly deliveries: {
    /** Those that are not over. */
    countOpen(memberId: string): Promise<number>;
    wake(memberIds: readonly string[]): void;
  };
  readonly isArk: (serverId: string) => boolean;
  /** Gives the reward of the day. @returns points; 0: there is none, or it was given before */
  readonly claimDaily: (memberId: string, by: AuditContext) => Promise<number>;
}

/** What spends nothing: `!points`, `!claim` and `!help`. */
export const createAccountCommands = (options: AccountCommandsOptions): readonly ChatCommand[] => {
  const { ofPlayer, answers, rules, deliveries, isArk, claimDaily } = options;
  return [
    {
      name: 'points',
      async run(line) {
        const member = await ofPlayer(line.playerId);
        if (!isRefusal(member)) await answers.tell(line, (await answers.words()).points(member.balance));
      },
    },
    {
      name: 'claim',
      async run(line) {
        const words = await answers.words();
        const member = await ofPlayer(line.playerId);
        if (isRefusal(member)) return;
        const points = await claimDaily(member.id, actingPlayer(line));
        const extra = points > 0 ? words.daily(points) : null;
        const count = await deliveries.countOpen(member.id);
        if (count > 0) deliveries.wake([member.id]);
        const waiting = count > 0 ? words.waiting(count) : null;
        const told = [extra, waiting].filter((text) => text !== null).join(' ');
        await answers.tell(line, told === '' ? words.nothingWaits : told);
      },
    },
    {
      name: 'help',
      async run(line) {
        const words = await answers.words();
        const { typed } = await rules();
        const names = ['shop', 'buy', 'points', 'claim', 'link'] as const;
        const lines = isArk(line.serverId) ? [...names, 'survivor' as const] : names;
        await answers.tell(line, words.help(lines.map(typed).join(', ')));
      },
    },
  ];
};
