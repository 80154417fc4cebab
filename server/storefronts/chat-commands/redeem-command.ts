import type { MemberDetails } from '#contracts/people/members.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { actingPlayer } from './chat-actor.ts';
import type { ChatCommand } from './chat-commands.ts';
import type { ChatRules } from './chat-rules.ts';
import type { ChatWords } from './chat-words.ts';
import type { PrivateAnswers } from './private-answers.ts';
import { shownName } from './typed-text.ts';

interface Redeemed {
  readonly points: number;
  readonly name: string;
  readonly balance: number;
}

export interface RedeemCommandOptions {
  readonly ofPlayer: (playerId: string) => Promise<MemberDetails | Refusal>;
  readonly redeem: (
    memberId: string,
    code: string,
    by: AuditContext,
    asked: { readonly key: string; readonly isProven: boolean },
  ) => Promise<Redeemed | Refusal>;
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
}

/**
 * `!redeem CODE` redeems immediately, also by a line with only a name: everyone has read the code, and the first to use
 * it gets it. A line redeems at most once.
 */
export const createRedeemCommand = (options: RedeemCommandOptions): ChatCommand => {
  const { ofPlayer, redeem, answers, rules } = options;
  return {
    name: 'redeem',
    async run(line, argument) {
      const words = await answers.words();
      if (argument === '') {
        const { typed } = await rules();
        return void (await answers.tell(line, words.howToRedeem(typed('redeem'))));
      }
      const member = await ofPlayer(line.playerId);
      if (isRefusal(member)) return;
      const redeemed = await redeem(member.id, argument, actingPlayer(line), {
        key: `chat:${line.key}`,
        isProven: line.isProven,
      });
      if (isRefusal(redeemed)) return void (await answers.tell(line, refusalText(redeemed, words)));
      const { points, name, balance } = redeemed;
      await answers.report(line, words.redeemed(points, shownName(name), balance));
    },
  };
};

const refusalText = ({ refused }: Refusal, words: ChatWords): string => {
  if (refused === 'REWARD_CODE_INVALID') return words.codeWrong;
  if (refused === 'LIMIT_REACHED') return words.codeUsed;
  return refused === 'RATE_LIMITED' ? words.tooManyCodes : words.notRedeemed;
};
