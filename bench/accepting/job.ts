/** The job that every part of the benchmark submits: a real text of a few hundred bytes (UDHR, articles 1 to 3; public domain). */
export const job = {
  kind: 'summarize',
  input: {
    text:
      'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and ' +
      'should act towards one another in a spirit of brotherhood. Everyone is entitled to all the rights and freedoms set ' +
      'forth in this Declaration, without distinction of any kind, such as race, colour, sex, language, religion, ' +
      'political or other opinion, national or social origin, property, birth or other status. Everyone has the right to ' +
      'life, liberty and security of person.',
  },
  metadata: { order: '4711' },
}
