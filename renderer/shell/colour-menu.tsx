import { colourIcons, colourSchemes, useColours } from '../kit/design/colours.ts';
import { useWords } from '../kit/language/use-words.ts';
import { ChoiceItem } from './choice-item.tsx';
import { ChoiceMenu } from './choice-menu.tsx';
import { shellWords } from './shell.words.ts';

/** The colour schemes, as lines of a menu. */
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
    <ChoiceMenu label={words.theme} icon={<Icon size={18} aria-hidden />}>
      <ColourItems />
    </ChoiceMenu>
  );
};
