import { Group, Text } from '@mantine/core';
import { product } from '#contracts/product.ts';

/** The product's sign and name. */
export const Mark = () => (
  <Group gap="xs" wrap="nowrap">
    <img src="./icon.svg" width={24} height={24} alt="" />
    <Text fw={700} size="lg" component="span">
      {product.name}
    </Text>
  </Group>
);
