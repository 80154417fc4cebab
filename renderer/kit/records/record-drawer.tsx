import { Stack } from '@mantine/core';
import type { ComponentProps } from 'react';
import { SideDrawer } from '../design/side-drawer.tsx';

/** A whole record, beside the list that it is from. */
export const RecordDrawer = ({ children, ...drawer }: Omit<ComponentProps<typeof SideDrawer>, 'size'>) => (
  <SideDrawer size="lg" {...drawer}>
    <Stack gap="md">{children}</Stack>
  </SideDrawer>
);
