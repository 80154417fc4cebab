import type { MemberDetails } from '#contracts/people/members.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import type { ChatCommand, ChatLine } from './chat-commands.ts';
import type { ChatRules } from './chat-rules.ts';
import type { PrivateAnswers } from './private-answers.ts';
import { longestAnswer } from './typed-text.ts';

export interface AccountCommandsOptions {
  readonly ofPlayer: (playerId: string) => Promise<MemberDetails | Refusal>;
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
  readonly deliveries: {
    /** Deliveries that are not over, and how many of them cannot go out without a survivor number. */
    countOpen(memberId: string): Promise<{ readonly all: number; readonly withoutNumber: number }>;
    wake(memberIds: readonly string[]): void;
  };
  readonly isArk: (serverId: string) => boolean;
  /** What else waits for a member, and is given by this. @returns a line for the player; null: nothing */
  readonly claimExtras?: ((member: MemberDetails, line: ChatLine) => Promise<string | null>) | undefined;
}

/** Commands that spend nothing and need nothing typed: `!points`, `!claim` and `!help`. */
export const createAccountCommands = (options: AccountCommandsOptions): readonly ChatCommand[] => {
  const { ofPlayer, answers, rules, deliveries, isArk, claimExtras = async () => null } = options;
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
        const extra = await claimExtras(member, line);
        const { all, withoutNumber } = await deliveries.countOpen(member.id);
        if (all > 0) deliveries.wake([member.id]);
        // The number can be given only on servers of ARK.
        const lacking = isArk(line.serverId) ? withoutNumber : 0;
        const waiting = all > lacking ? words.waiting(all - lacking) : null;
        const needing =
          lacking > 0 ? words.waitingForNumber(lacking, (await rules()).typed('survivor')) : null;
        const told = [extra, waiting, needing].filter((text) => text !== null).join(' ');
        const text = told === '' ? words.nothingWaits : told;
        if (extra === null) await answers.tell(line, text);
        else await answers.report(line, text);
      },
    },
    {
      name: 'help',
      async run(line) {
        const words = await answers.words();
        const { typed } = await rules();
        const names = ['shop', 'buy', 'points', 'claim', 'redeem', 'link'] as const;
        const lines = isArk(line.serverId) ? [...names, 'survivor' as const] : names;
        const explained = words.help(lines.map((name) => words.helpOf[name](typed(name))).join(', '));
        const bare = words.help(lines.map(typed).join(', '));
        await answers.tell(line, explained.length <= longestAnswer ? explained : bare);
      },
    },
  ];
};
