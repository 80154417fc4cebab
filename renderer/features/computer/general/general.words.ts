import { defineWords } from '../../../language/define-words.ts';

export const generalWords = defineWords(
  {
    title: 'Start and window',
    autostart: 'Start with this computer',
    autostartText: 'Castellan starts in the tray when you sign in, and everything with it.',
    closeToTray: 'Keep running when the window is closed',
    closeToTrayText:
      'The icon in the tray opens the window again. Turned off, closing the window stops everything.',
    notices: 'Tell me what needs me',
    noticesText:
      'By a notification of the system: a part gave up, the license is about to end, the disk is nearly full, an update is ready.',
  },
  {
    title: 'Início e janela',
    autostart: 'Iniciar com este computador',
    autostartText: 'O Castellan inicia na bandeja quando você entra na sua conta, e tudo com ele.',
    closeToTray: 'Continuar em execução quando a janela é fechada',
    closeToTrayText: 'O ícone na bandeja abre a janela de novo. Desligado, fechar a janela para tudo.',
    notices: 'Avisar quando algo precisa de mim',
    noticesText:
      'Por uma notificação do sistema: uma parte falhou, a licença está prestes a vencer, o disco está quase cheio, há uma atualização pronta.',
  },
);
