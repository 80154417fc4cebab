import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import { ChoiceItem } from './choice-item.tsx';
import { colourIcons, colourSchemes, useColours } from './colours.ts';
import { shellWords } from './shell.words.ts';

/** What the colours can be, as lines of a menu. */
export const ColourItems = () => {
  const words = useWords(shellWords);
  const { chosen, choose } = useColours();
  return colourSchemes.map((scheme) => {
    const Icon = colourIcons[scheme];
    return (
      <ChoiceItem
        key={scheme}
        value={scheme}
        isChosen={scheme === chosen}
        icon={<Icon size={16} aria-hidden />}
        onChoose={() => choose(scheme)}
      >
        {words[scheme]}
      </ChoiceItem>
    );
  });
};

export const ColourMenu = () => {
  const words = useWords(shellWords);
  const Icon = colourIcons[useColours().chosen];
  return (
    <Menu withinPortal={false} position="bottom-end">
      <Menu.Target>
        <Tooltip label={words.theme} withinPortal={false}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.theme}>
            <Icon size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <ColourItems />
      </Menu.Dropdown>
    </Menu>
  );
};
