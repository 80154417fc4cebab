import { ApplicationCommandOptionType } from 'discord.js';
import { rewardsDiscordHttp } from '#contracts/store/rewards.ts';
import { ApiProblem } from '../api-client.ts';
import { askAgain } from './ask-again.ts';
import { type BotCommand, says } from './command.ts';
import { described, named, numberText, pointsText, words } from './language.ts';
import { nameText } from './text.ts';

const texts = words(
  {
    redeemed: (points: string, name: string, balance: string) =>
      `You got **${points}** (${name}) and now have ${balance}.`,
    wrong: 'This code is not valid. Check the spelling and the expiry date.',
    used: 'This code has been used up, or it is not for you.',
    inDoubt:
      'Castellan does not answer, so the code may have been redeemed. Check your points before you try again.',
  },
  {
    redeemed: (points: string, name: string, balance: string) =>
      `Você ganhou **${points}** (${name}) e agora tem ${balance}.`,
    wrong: 'Este código não é válido. Confira como está escrito e a data de validade.',
    used: 'Este código já foi todo usado, ou não é para você.',
    inDoubt:
      'O Castellan não responde, e o código talvez tenha sido resgatado. Confira seus pontos antes de tentar de novo.',
  },
);

export const redeemCommand: BotCommand = {
  definition: {
    ...named('redeem', 'resgatar'),
    ...described('Redeem a code for points', 'Resgate um código por pontos'),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        ...named('code', 'codigo'),
        ...described('The code that you received', 'O código que você recebeu'),
        required: true,
        max_length: 64,
      },
    ],
  },
  isPrivate: true,
  async run(asked) {
    const { api, id, language, options } = asked;
    const text = texts[language];
    const code = options.getString('code', true);
    try {
      const redeemed = await askAgain(asked, () =>
        api(rewardsDiscordHttp.redeem, { body: { code } }, { idempotencyKey: `discord-redeem:${id}` }),
      );
      if (redeemed === null) return says(text.inDoubt);
      const { points, name, balance } = redeemed;
      return says(text.redeemed(pointsText(points, language), nameText(name), numberText(balance, language)));
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.code === 'REWARD_CODE_INVALID') return says(text.wrong);
      if (error.code === 'LIMIT_REACHED') return says(text.used);
      throw error;
    }
  },
};
