import { Text } from '@mantine/core';
import { useTold } from '../kit/language/use-told.ts';

/** The API's own text about a component, in the reader's language if it has a code for it. */
export const PartDetail = ({ children }: { readonly children: string }) => {
  const told = useTold();
  return (
    <Text size="sm" c="dimmed">
      <bdi>{told(children)}</bdi>
    </Text>
  );
};
