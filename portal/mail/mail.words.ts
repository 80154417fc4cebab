import { product } from '#contracts/kernel/product.ts';
import { defineWords } from '#contracts/kernel/words.ts';

/** The ending of every mail. */
export const mailWords = defineWords(
  { foot: `${product.name} license portal. This e-mail was sent automatically.` },
  { foot: `Portal de licenças do ${product.name}. Este e-mail foi enviado automaticamente.` },
);
