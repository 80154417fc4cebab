import { Code } from '@mantine/core';
import type { ProductLine } from '#contracts/store.ts';

/** "64 × minecraft:diamond", or the command. */
export const LineText = ({ line }: { readonly line: ProductLine }) =>
  line.kind === 'item' ? (
    <span>
      {line.quantity} × <bdi>{line.item}</bdi>
    </span>
  ) : (
    <Code>
      <bdi>{line.command}</bdi>
    </Code>
  );
