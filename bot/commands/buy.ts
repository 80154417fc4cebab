import type { BotCommand } from './command.ts';
import { described, named } from './language.ts';
import {
  codeOption,
  completeProducts,
  offerTyped,
  productOption,
  purchaseButtons,
  quantityOption,
} from './purchase.ts';

export const buyCommand: BotCommand = {
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
