import { ApplicationCommandOptionType } from 'discord.js';
import { type BotCommand, says } from './command.ts';
import { described, named, words } from './language.ts';
import { completeProducts, offerTyped, productOption, quantityOption } from './purchase.ts';

const texts = words(
  { gone: 'They are no longer on this Discord server.', bot: 'A bot does not play games.' },
  { gone: 'Essa pessoa não está mais neste servidor do Discord.', bot: 'Um bot não joga.' },
);

export const giftCommand: BotCommand = {
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
