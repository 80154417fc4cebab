import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Language } from '#contracts/kernel/language.ts';

/** One of several options in a menu, of which one is selected. */
export const ChoiceItem = ({
  value,
  isChosen,
  onChoose,
  icon,
  lang,
  children,
}: {
  readonly value: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly icon?: ReactNode;
  /** The language of the text, if it is not the panel's. */
  readonly lang?: Language;
  readonly children: string;
}) => (
  <Menu.RadioItem
    value={value}
    checked={isChosen}
    closeMenuOnClick
    checkIcon={<IconCheck size={16} aria-hidden />}
    rightSection={icon}
    onChange={onChoose}
    {...(lang !== undefined && { lang })}
  >
    {children}
  </Menu.RadioItem>
);
