import './kit/api/without-eval.ts';
import './kit/language/known-language.ts';
import './kit/design/mantine-styles.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { speakFieldMessages } from './kit/forms/field-messages.ts';
import { loadProblemWords } from './kit/language/problem-words.ts';
import { presentLanguage } from './kit/language/use-words.ts';

speakFieldMessages();
void loadProblemWords(presentLanguage());
const place = document.getElementById('panel');
if (!place) throw new Error('index.html has no #panel');
createRoot(place).render(<App />);
