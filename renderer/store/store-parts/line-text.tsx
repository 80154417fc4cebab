import { Code } from '@mantine/core';
import type { GivenLine } from '#contracts/store/store.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { storePartsWords } from '../store-parts.words.ts';

/** "64 × minecraft:diamond", the command, or the role. */
export const LineText = ({ line }: { readonly line: GivenLine }) => {
  const words = useWords(storePartsWords);
  switch (line.kind) {
    case 'item':
      return (
        <span>
          {line.quantity} × <bdi>{line.item}</bdi>
        </span>
      );
    case 'command':
      return (
        <Code>
          <bdi>{line.command}</bdi>
        </Code>
      );
    case 'role':
      return (
        <span>
          {words.role} <bdi>@{line.roleName}</bdi>
        </span>
      );
  }
};
