// First names by where a family comes from. Each line is a year around which its names were given most, and each name
// has its weight in that year. A name on several lines was in fashion for long.

export type Origin = 'general' | 'hispanic' | 'chinese' | 'vietnamese' | 'korean' | 'indian' | 'arabic'
export type Sex = 'female' | 'male'

export const FIRST_NAMES: Record<Sex, Record<Origin, string>> = {
  female: {
    general: `
      1925: Dorothy 6, Ruth 5, Virginia 4, Frances 3, Evelyn 3, Alice 3, Marjorie 2, Irene 2, Florence 2, Lois 2, Martha 3, Mildred 2, Edna 1, Gladys 1, Eleanor 2, Thelma 1, Hazel 1
      1938: Mary 14, Betty 8, Barbara 8, Shirley 6, Patricia 7, Joan 4, Nancy 6, Carol 6, Joyce 5, Doris 4, Marilyn 4, Janet 4, Beverly 4, Judith 5, Margaret 5, Norma 2, Rose 2, Elaine 2, Phyllis 3, Jean 3, Helen 4, Anna 2, Peggy 2, Wanda 2, Geraldine 1, Marlene 1, Loretta 1, Dolores 2, Arlene 1
      1948: Mary 14, Linda 14, Barbara 8, Patricia 9, Carol 7, Sandra 7, Nancy 7, Sharon 7, Judy 4, Susan 8, Kathleen 5, Gloria 3, Diane 5, Carolyn 4, Ann 2, Bonnie 3, Jane 3, Connie 3, Sally 2, Kathryn 2, Elizabeth 4, Catherine 3, Paula 2, Rita 2, Marcia 1, Sheila 2, Gail 2, Glenda 1, Joanne 2, Ellen 2, Charlotte 2, Vivian 1, Yvonne 1
      1957: Mary 9, Susan 10, Debra 9, Deborah 9, Linda 8, Patricia 7, Karen 9, Donna 8, Cynthia 7, Pamela 6, Sharon 5, Kathy 4, Diane 5, Brenda 6, Teresa 4, Denise 4, Cheryl 5, Janice 4, Debbie 3, Robin 4, Laura 4, Rebecca 4, Theresa 3, Anne 2, Vicki 2, Rhonda 3, Cindy 3, Terri 2, Jacqueline 2, Jeanne 1, Darlene 2, Suzanne 2, Beth 2
      1966: Lisa 12, Kimberly 8, Mary 6, Michelle 8, Karen 6, Susan 5, Tammy 5, Angela 6, Melissa 4, Lori 5, Pamela 4, Laura 4, Elizabeth 4, Julie 5, Tina 4, Dawn 4, Sandra 3, Christine 4, Wendy 3, Stephanie 3, Tracy 3, Sherry 2, Jennifer 4, Annette 1, Dana 1, Carla 1, Regina 2, Yolanda 2, Felicia 1, Stacy 2, Kelly 3, Amy 4, Andrea 3
      1977: Jennifer 14, Amy 8, Melissa 9, Michelle 7, Kimberly 6, Angela 6, Stephanie 6, Heather 7, Nicole 6, Jessica 6, Elizabeth 5, Rebecca 4, Christina 4, Kelly 4, Erin 3, Tiffany 3, Crystal 3, April 2, Latoya 2, Tamika 1, Keisha 1, Rachel 3, Sarah 4, Shannon 3, Monica 2, Amanda 4, Renée 1, Zoë 1
      1987: Jessica 10, Ashley 10, Amanda 9, Sarah 8, Jennifer 6, Brittany 6, Stephanie 5, Samantha 5, Lauren 4, Megan 4, Elizabeth 4, Rachel 3, Emily 4, Kayla 3, Katherine 3, Danielle 3, Courtney 2, Ebony 1, Jasmine 3, Chelsea 2, Victoria 2, Natalie 2, Whitney 1, Vanessa 2
      1999: Emily 7, Hannah 6, Alexis 4, Madison 4, Taylor 4, Abigail 3, Olivia 4, Alyssa 3, Grace 3, Sophia 3, Brianna 3, Destiny 2, Kaitlyn 2, Morgan 2, Emma 4, Julia 2, Savannah 1, Imani 1, Aaliyah 1, Haley 2, Chloë 1, Mary-Kate 1`,
    hispanic: `
      1940: María 14, Carmen 7, Josefina 5, Guadalupe 5, Juana 4, Margarita 5, Consuelo 3, Esperanza 3, Dolores 3, Francisca 3, Rosario 2, Mercedes 2, Socorro 1, Esther 3, Elena 3, Ángela 2, Concepción 1
      1962: María 12, Rosa 7, Ana 5, Gloria 4, Martha 4, Leticia 4, Silvia 4, Yolanda 3, Irma 3, Alicia 3, Teresa 3, Norma 3, Blanca 3, Graciela 2, Lourdes 2, Beatriz 2, Inés 1, Luz 3, Sofía 1, María Elena 2
      1982: María 7, Claudia 5, Patricia 4, Verónica 5, Mónica 4, Adriana 5, Gabriela 5, Alejandra 4, Karina 3, Lorena 3, Erika 3, Marisol 2, Yesenia 3, Araceli 2, Xiomara 1, Brenda 2, Paola 2
      1998: Daniela 4, Valeria 4, Andrea 4, Fernanda 3, Camila 3, Valentina 3, Ximena 2, Mariana 3, Isabel 3, Lucía 2, Sofía 3, Jazmín 1`,
    chinese: `
      1952: Mei 5, Xiu Ying 3, Li 4, Hui 3, Yan 3, Fang 3, Shu-Fen 2, Lan 2, Yu 3, Jing 2
      1985: Jing 4, Ying 4, Xin 3, Wei 3, Lily 4, Amy 3, Grace 3, Michelle 3, Tina 2, Jie 2`,
    vietnamese: `
      1955: Lan 5, Hoa 4, Mai 5, Huong 4, Nga 3, Thuy 4, Kim 4, Phuong 3, Bich 2, Tuyet 2
      1988: Linh 5, Trang 4, Ngoc 4, Thao 3, Vy 3, Jenny 3, Christine 2, Kim-Anh 2`,
    korean: `
      1955: Young Hee 4, Sun 3, Myung 3, Kyung 3, Eun 3, Jung 3, Mi-Sook 2, Soon 2, Hye 2
      1986: Ji-Young 4, Min-Ji 3, Grace 5, Esther 4, Eunice 3, Soo 2, Hannah 3, Jane 3`,
    indian: `
      1955: Usha 4, Lakshmi 4, Kamala 3, Sushila 3, Pushpa 3, Sarla 2, Meena 3, Nirmala 3, Asha 3
      1985: Priya 6, Anjali 4, Pooja 4, Neha 4, Kavita 3, Deepa 3, Shreya 3, Divya 3, Swati 2`,
    arabic: `
      1955: Fatima 5, Amina 4, Khadija 3, Zainab 3, Samira 3, Nadia 3, Salma 2, Huda 2
      1988: Aisha 5, Layla 4, Noor 4, Maryam 4, Yasmin 3, Hanan 2, Rania 2`,
  },
  male: {
    general: `
      1925: George 6, Edward 5, Frank 4, Walter 4, Harold 4, Raymond 4, Albert 3, Henry 3, Ralph 3, Carl 3, Howard 3, Arthur 3, Fred 2, Harry 3, Louis 2, Clarence 2, Earl 2, Herbert 1, Stanley 2, Leonard 2, Ernest 2
      1938: James 12, Robert 13, John 12, William 11, Richard 10, Charles 8, Donald 8, Thomas 6, George 5, Kenneth 5, Ronald 7, Joseph 6, David 6, Gerald 4, Jerry 4, Eugene 3, Billy 3, Bobby 2, Roger 3, Wayne 2, Jack 3, Paul 4, Norman 2, Marvin 2, Franklin 1, Melvin 2, Gene 1, Lloyd 1, Vernon 1, Leroy 2
      1948: James 13, Robert 13, John 13, William 11, Richard 9, David 9, Michael 9, Thomas 8, Larry 7, Charles 7, Gary 6, Ronald 6, Dennis 5, Joseph 5, Stephen 4, Jerry 4, Daniel 4, Kenneth 5, Paul 5, Roger 4, Bruce 3, Douglas 3, Terry 3, Danny 2, Lawrence 3, Phillip 2, Willie 3, Roy 2, Allen 2, Dale 2, Glenn 2, Clifford 1, Johnnie 1
      1957: Michael 13, James 10, David 12, Robert 11, John 11, William 8, Mark 9, Richard 7, Steven 7, Thomas 6, Timothy 5, Joseph 5, Charles 5, Jeffrey 5, Kevin 5, Kenneth 4, Daniel 4, Randy 3, Gregory 4, Ronald 4, Ricky 3, Keith 3, Craig 2, Alan 2, Barry 2, Curtis 2, Darryl 2, Reginald 1, Rodney 2, Stuart 1, Tyrone 1, Vincent 2, Peter 3
      1966: Michael 12, John 9, David 9, James 9, Robert 8, William 6, Mark 6, Jeffrey 6, Richard 5, Scott 6, Kevin 5, Brian 5, Steven 4, Timothy 4, Eric 4, Todd 3, Anthony 4, Troy 2, Patrick 3, Andre 1, Darren 2, Tony 2, Dwayne 1, Marcus 1, Christopher 5, Andrew 3
      1977: Michael 11, Christopher 10, Jason 11, David 7, James 7, Matthew 7, Brian 6, Joshua 5, Robert 6, John 6, Joseph 5, Daniel 5, Ryan 5, Justin 4, Chad 3, Jeremy 4, Aaron 3, Adam 3, Nathan 3, Benjamin 3, Shawn 3, Jamal 1, Terrence 1, Derrick 2, Travis 2, Kyle 2, Sean 3, Jonathan 3
      1987: Michael 9, Christopher 9, Matthew 8, Joshua 8, Andrew 6, Daniel 6, Justin 6, Ryan 6, Brandon 5, Tyler 4, Nicholas 5, Zachary 4, Kyle 4, Jordan 2, Cody 3, Darius 1, Malik 1, Trevor 2, Alexander 3, Samuel 3, Ian 2
      1999: Jacob 7, Ethan 4, Austin 4, Logan 3, Dylan 3, Hunter 3, Noah 3, Caleb 2, Isaiah 3, Elijah 2, Jaden 1, Connor 2, Mason 2, Liam 2, Jean-Luc 1, De'Andre 1`,
    hispanic: `
      1940: José 14, Juan 10, Manuel 6, Jesús 6, Francisco 6, Antonio 5, Pedro 5, Ramón 4, Ignacio 2, Salvador 3, Guadalupe 2, Alfonso 3, Ernesto 2, Guillermo 2, Domingo 1, Ángel 2
      1962: José 12, Juan 9, Luis 8, Carlos 7, Jorge 6, Miguel 6, Roberto 4, Rafael 4, Ricardo 4, Raúl 4, Javier 4, Fernando 3, Héctor 4, Rubén 3, Arturo 3, Enrique 2, Julio 2, Gerardo 2, Víctor 2
      1982: José 7, Luis 7, Carlos 6, Juan 6, Miguel 5, Alejandro 5, Óscar 3, Eduardo 4, Sergio 3, César 3, Adrián 3, Iván 2, Edgar 2, Israel 2, José Luis 3, Martín 2
      1998: Diego 4, Ángel 4, Santiago 3, Mateo 2, Emmanuel 2, Andrés 3, Brayan 1, Cristian 3, Leonardo 2, Sebastián 3, Nicolás 2`,
    chinese: `
      1952: Wei 4, Jian 3, Ming 4, Guo 2, Zhi-Qiang 2, Hong 3, Yong 3, Chun 2, Feng 2, Kai-Ming 1
      1985: Hao 4, Wei 4, Jun 3, Lei 3, Kevin 4, Jason 3, Andy 3, Tao 2, Bin 2`,
    vietnamese: `
      1955: Minh 5, Hung 4, Dung 3, Thanh 4, Hai 3, Tuan 4, Van 3, Duc 3, Quang 3
      1988: Khoa 3, Long 3, Huy 4, Nam 3, Kevin 3, Andrew 2, Tri 2, Phong 2`,
    korean: `
      1955: Young-Ho 3, Sung 4, Jong 3, Kwang 3, Dong 3, Byung 2, Chul-Soo 2, Sang 3
      1986: Min-Ho 3, Joon 4, Daniel 5, Brian 3, Ji-Hoon 3, David 4, Hyun 3`,
    indian: `
      1955: Ramesh 5, Suresh 4, Ashok 4, Mahesh 3, Vijay 3, Mohan 3, Harish 2, Prakash 3, Subhash 2
      1985: Rahul 5, Amit 5, Sanjay 3, Rohan 4, Arjun 4, Vikram 3, Nikhil 3, Anil 2, Karthik 2`,
    arabic: `
      1955: Ahmed 5, Mohammed 6, Hassan 4, Ibrahim 4, Mahmoud 3, Khalil 2, Youssef 3, Mustafa 2
      1988: Omar 5, Ali 5, Khalid 4, Tariq 3, Bilal 3, Karim 3, Abdul-Rahman 2, Samir 2`,
  },
}

/** What people are called instead. */
export const NICKNAMES: Record<string, string> = {
  Albert: 'Al, Bert',
  Alejandro: 'Alex, Ale',
  Alexander: 'Alex, Xander',
  Andrew: 'Andy, Drew',
  Anthony: 'Tony',
  Antonio: 'Tony, Toño',
  Barbara: 'Barb, Barbie',
  Benjamin: 'Ben',
  Catherine: 'Cathy, Kate',
  Charles: 'Chuck, Charlie',
  Christine: 'Chris, Tina',
  Christopher: 'Chris, Topher',
  Consuelo: 'Chelo',
  Cynthia: 'Cindy',
  Daniel: 'Dan, Danny',
  David: 'Dave',
  Deborah: 'Deb, Debbie',
  Debra: 'Deb, Debbie',
  Dolores: 'Lola',
  Donald: 'Don, Donnie',
  Dorothy: 'Dot, Dottie',
  Edward: 'Ed, Eddie, Ted',
  Eleanor: 'Ellie, Nell',
  Elizabeth: 'Liz, Beth, Betsy',
  Francisco: 'Paco, Frank',
  Gerald: 'Jerry',
  Gregory: 'Greg',
  Guadalupe: 'Lupe',
  Guillermo: 'Memo',
  Ignacio: 'Nacho',
  Jacqueline: 'Jackie',
  James: 'Jim, Jimmy, Jamie',
  Jeffrey: 'Jeff',
  Jennifer: 'Jen, Jenny',
  Jesús: 'Chuy',
  John: 'Jack, Johnny',
  Joseph: 'Joe, Joey',
  José: 'Pepe, Joe',
  Judith: 'Judy',
  Katherine: 'Kathy, Katie',
  Kathleen: 'Kathy',
  Kathryn: 'Kathy, Kate',
  Kenneth: 'Ken, Kenny',
  Kimberly: 'Kim',
  Lawrence: 'Larry',
  Leonard: 'Len, Lenny',
  Margaret: 'Peggy, Maggie, Meg',
  María: 'Mari, Mary',
  Matthew: 'Matt',
  Melvin: 'Mel',
  Michael: 'Mike, Mikey',
  Nicholas: 'Nick',
  Pamela: 'Pam',
  Patricia: 'Pat, Patty, Trish',
  Phillip: 'Phil',
  Raymond: 'Ray',
  Rebecca: 'Becky, Becca',
  Richard: 'Rick, Rich, Dick',
  Robert: 'Bob, Rob, Bobby',
  Roberto: 'Beto',
  Ronald: 'Ron, Ronnie',
  Samantha: 'Sam',
  Samuel: 'Sam',
  Sandra: 'Sandy',
  Stephanie: 'Steph',
  Stephen: 'Steve',
  Steven: 'Steve',
  Susan: 'Sue, Susie',
  Theresa: 'Terry, Tess',
  Thomas: 'Tom, Tommy',
  Timothy: 'Tim',
  Victoria: 'Vicky, Tori',
  Virginia: 'Ginny',
  Walter: 'Walt',
  William: 'Bill, Will, Billy',
  Zachary: 'Zach',
}
