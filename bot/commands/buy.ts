import type { BotCommand } from './command.ts';
import { described, named } from './language.ts';
import { completeProducts, offerTyped, productOption, purchaseButtons, quantityOption } from './purchase.ts';

export const buyCommand: BotCommand = {
  definition: {
    ...named('buy', 'comprar'),
    ...described('Buy a product with your points', 'Compre um produto com seus pontos'),
    options: [productOption, quantityOption],
  },
  isPrivate: true,
  run: (asked) =>
    offerTyped(asked, {
      productId: asked.options.getString('product', true),
      quantity: asked.options.getInteger('quantity') ?? 1,
      receiverId: null,
    }),
  complete: completeProducts,
  buttons: purchaseButtons,
};
