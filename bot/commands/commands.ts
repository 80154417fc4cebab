import { ApplicationCommandOptionType } from 'discord.js';
import { type BotCommand, says } from './command.ts';
import { confirmCommand } from './confirm.ts';
import { dailyCommand } from './daily.ts';
import { deliveriesCommand } from './deliveries.ts';
import {
  announceCommand,
  banCommand,
  kickCommand,
  rconCommand,
  unbanCommand,
  whitelistCommand,
} from './game-commands.ts';
import { givePointsCommand } from './give-points.ts';
import { described, named, words } from './language.ts';
import { linkCommand } from './link.ts';
import { playersCommand } from './players.ts';
import { pointsCommand } from './points.ts';
import {
  codeOption,
  completeProducts,
  offerTyped,
  productOption,
  purchaseButtons,
  quantityOption,
} from './purchase.ts';
import { redeemCommand } from './redeem.ts';
import { serverCommand } from './server.ts';
import { shopCommand } from './shop.ts';
import { statusCommand } from './status.ts';
import { unlinkCommand } from './unlink.ts';

const texts = words(
  { gone: 'They are no longer on this Discord server.', bot: 'A bot does not play games.' },
  { gone: 'Essa pessoa não está mais neste servidor do Discord.', bot: 'Um bot não joga.' },
);

const giftCommand: BotCommand = {
  definition: {
    ...named('gift', 'presentear'),
    ...described(
      'Buy a product for someone else with your points',
      'Compre um produto para outra pessoa com seus pontos',
    ),
    options: [
      {
        type: ApplicationCommandOptionType.User,
        ...named('person', 'pessoa'),
        ...described('Who receives it', 'Quem recebe'),
        required: true,
      },
      productOption,
      quantityOption,
    ],
  },
  isPrivate: true,
  async run(asked) {
    const receiver = asked.options.getUser('person', true);
    const text = texts[asked.language];
    if (receiver.bot) return says(text.bot);
    if (!asked.options.getMember('person')) return says(text.gone);
    return offerTyped(asked, {
      productId: asked.options.getString('product', true),
      quantity: asked.options.getInteger('quantity') ?? 1,
      receiverId: receiver.id,
    });
  },
  complete: completeProducts,
};

const buyCommand: BotCommand = {
  definition: {
    ...named('buy', 'comprar'),
    ...described('Buy a product with your points', 'Compre um produto com seus pontos'),
    options: [productOption, quantityOption, codeOption],
  },
  isPrivate: true,
  isStore: true,
  run: (asked) =>
    offerTyped(asked, {
      productId: asked.options.getString('product', true),
      quantity: asked.options.getInteger('quantity') ?? 1,
      receiverId: null,
      discountCode: typedCode(asked.options.getString('code')),
    }),
  complete: completeProducts,
  buttons: purchaseButtons,
};

/** The bar separates the values in a button's id. */
const typedCode = (text: string | null): string | null => {
  const code = text?.replaceAll('|', ' ').trim().toWellFormed() ?? '';
  return code === '' ? null : code;
};

/** Every slash command. */
export const botCommands: readonly BotCommand[] = [
  statusCommand,
  playersCommand,
  linkCommand,
  unlinkCommand,
  confirmCommand,
  pointsCommand,
  shopCommand,
  buyCommand,
  giftCommand,
  deliveriesCommand,
  dailyCommand,
  redeemCommand,
  givePointsCommand,
  announceCommand,
  kickCommand,
  banCommand,
  unbanCommand,
  whitelistCommand,
  rconCommand,
  serverCommand,
];
