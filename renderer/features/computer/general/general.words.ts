import { defineWords } from '../../../language/define-words.ts';

export const generalWords = defineWords(
  {
    title: 'Start and window',
    autostart: 'Start with this computer',
    autostartText: 'Castellan starts in the tray when you sign in, and everything with it.',
    closeToTray: 'Keep running when the window is closed',
    closeToTrayText:
      'The icon in the tray opens the window again. Turned off, closing the window stops everything.',
  },
  {
    title: 'Início e janela',
    autostart: 'Iniciar com este computador',
    autostartText: 'O Castellan inicia na bandeja quando você entra na sua conta, e tudo com ele.',
    closeToTray: 'Continuar em execução quando a janela é fechada',
    closeToTrayText: 'O ícone na bandeja abre a janela de novo. Desligado, fechar a janela para tudo.',
  },
);
