import './wire/without-eval.ts';
import './language/known-language.ts';
import './design/mantine-styles.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { speakFieldMessages } from './forms/field-messages.ts';
import { loadProblemWords } from './language/problem-words.ts';
import { presentLanguage } from './language/use-words.ts';

speakFieldMessages();
void loadProblemWords(presentLanguage());
const place = document.getElementById('panel');
if (!place) throw new Error('index.html has no #panel');
createRoot(place).render(<App />);
