import { Text } from '@mantine/core';

/** What the API itself says, which is English whatever the reader's language. */
export const PartDetail = ({ children }: { readonly children: string }) => (
  <Text size="sm" c="dimmed" lang="en">
    <bdi>{children}</bdi>
  </Text>
);
