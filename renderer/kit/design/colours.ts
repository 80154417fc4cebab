import { useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

export const colourSchemes = ['auto', 'light', 'dark'] as const;
type ColourScheme = (typeof colourSchemes)[number];

export const colourIcons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;

interface Colours {
  /** The choice: `auto` follows the system. */
  readonly chosen: ColourScheme;
  choose(scheme: ColourScheme): void;
}

export const useColours = (): Colours => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { chosen: colorScheme, choose: setColorScheme };
};
