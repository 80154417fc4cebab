import { Stack } from '@mantine/core';
import { SideDrawer, type SideDrawerProps } from '../design/side-drawer.tsx';

/** A whole record, beside the list that it is from. */
export const RecordDrawer = ({ children, ...drawer }: Omit<SideDrawerProps, 'size'>) => (
  <SideDrawer size="lg" {...drawer}>
    <Stack gap="md">{children}</Stack>
  </SideDrawer>
);
